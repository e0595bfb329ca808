import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * State that the ignored folder `.local` carries from one start to the next, so that data, valid tokens and addresses survive
 * a restart.
 */

/** Generated once; every value is random. */
export type Secrets = {
  SECRET_KEY: string;
  PASSWORD_PEPPER: string;
  /** Base64 of 32 bytes. */
  FIELD_ENCRYPTION_KEY: string;
  postgresSuperuser: string;
  postgresOwner: string;
  /** Base64 of 64 bytes, as the key of an Azure storage account. */
  azuriteAccount: string;
  /** The access key of the stand-in for Web PubSub. */
  webPubSub: string;
};

/** Ports of the last run, tried first in the next. */
export type Ports = {
  postgres?: number;
  azurite?: number;
  ai?: number;
  smtp?: number;
  inbox?: number;
  webPubSub?: number;
};

/** The secrets of `folder`; generates and stores missing ones, readable by this user only. */
export function loadSecrets(folder: string): Secrets {
  const file = join(folder, 'secrets.json');
  const stored = read<Secrets>(file);
  const secrets: Secrets = {
    SECRET_KEY: randomBytes(48).toString('base64url'),
    PASSWORD_PEPPER: randomBytes(48).toString('base64url'),
    FIELD_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    postgresSuperuser: randomBytes(24).toString('base64url'),
    postgresOwner: randomBytes(24).toString('base64url'),
    azuriteAccount: randomBytes(64).toString('base64'),
    webPubSub: randomBytes(32).toString('base64url'),
    ...stored,
  };
  if (Object.keys(secrets).length > Object.keys(stored).length) write(file, secrets, 0o600);
  return secrets;
}

export const loadPorts = (folder: string): Ports => read<Ports>(join(folder, 'services.json'));

export const savePorts = (folder: string, ports: Ports): void =>
  write(join(folder, 'services.json'), ports, 0o644);

/** The JSON object in `file`; empty without such a file. Throws when the file is not JSON. */
export function read<T extends object>(file: string): Partial<T> {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<T>;
  } catch (error) {
    throw new Error(`${file} is not plain JSON (${(error as Error).message}). Repair or remove it.`, {
      cause: error,
    });
  }
}

/** Replaces `file` atomically: a reader sees the old or the new text, never a part. */
export function write(file: string, content: object, mode: number): void {
  const unfinished = `${file}.${process.pid}.tmp`;
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode });
  renameSync(unfinished, file);
}
