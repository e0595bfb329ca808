import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startAiService } from './ai.ts';
import { ensureContainer, startAzurite } from './azurite.ts';
import { type Child, endOfLog } from './child.ts';
import type { LockedFolder } from './folder-lock.ts';
import { savePorts, loadPorts, loadSecrets } from './local-state.ts';
import { type MailCatcher, startMailCatcher } from './mail-catcher.ts';
import { ensureDatabase, startPostgres } from './postgres.ts';

/** Settings by name, as the app will see them; an empty one counts as not set. */
export type Settings = Readonly<Record<string, string | undefined>>;

export type Services = {
  /** The settings that were not given: addresses of what was started and, in development, generated secrets. */
  settings: Record<string, string>;
  /** Whether the database is ours rather than one that DATABASE_URL named. */
  ownDatabase: boolean;
  /** Where caught mails are shown; undefined when mails go to the server that MAIL_URL named. */
  inboxUrl: string | undefined;
  /** Settles when a service ends without being told to, with what to tell people. */
  death: Promise<string>;
  stop: () => Promise<void>;
};

/** Told what is going on, line by line. */
export type Report = (line: string) => void;

const DATABASE = 'dermagate';

/**
 * Starts, side by side, those of PostgreSQL, Azurite, the reference AI service and, in development, the mail
 * catcher that `given` does not name (DATABASE_URL, STORAGE_CONNECTION_STRING or STORAGE_ACCOUNT_URL,
 * AI_SERVICE_URL, MAIL_URL), with their data in `folder`. In development a storage account that is named gets the
 * container where it is missing. When one does not come up the others are stopped and
 * the error is thrown.
 */
export async function startServices(
  folder: LockedFolder,
  given: Settings,
  report: Report,
): Promise<Services> {
  const isGiven = (key: string) => (given[key] ?? '') !== '';
  const logs = join(folder.path, 'logs');
  // Logs and photos may hold what is only for the eyes of who runs this.
  for (const path of [logs, join(folder.path, 'azurite')]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const secrets = loadSecrets(folder.path);
  const ports = loadPorts(folder.path);
  const children: Child[] = [];
  const settings: Record<string, string> = {};
  const container = given['STORAGE_CONTAINER'] || 'images';
  const { SECRET_KEY, PASSWORD_PEPPER, FIELD_ENCRYPTION_KEY } = secrets;
  for (const [key, value] of Object.entries({ SECRET_KEY, PASSWORD_PEPPER, FIELD_ENCRYPTION_KEY })) {
    // Production must bring its own, on a laptop too: else its refusal to start without them is never seen.
    if (isDevelopment(given) && !isGiven(key)) settings[key] = value;
  }

  const database = async () => {
    const postgres = await startPostgres(folder, {
      port: ports.postgres,
      superuserPassword: secrets.postgresSuperuser,
      logFile: join(logs, 'postgres.log'),
    });
    children.push(postgres.child);
    const owner = { role: DATABASE, password: secrets.postgresOwner, database: DATABASE };
    settings['DATABASE_URL'] = await ensureDatabase(postgres, owner);
    ports.postgres = postgres.port;
    return `127.0.0.1:${postgres.port}`;
  };
  const storage = async () => {
    const azurite = await startAzurite(folder, {
      port: ports.azurite,
      accountKey: secrets.azuriteAccount,
      logFile: join(logs, 'azurite.log'),
    });
    children.push(azurite.child);
    await ensureContainer(azurite.connectionString, container);
    settings['STORAGE_CONNECTION_STRING'] = azurite.connectionString;
    ports.azurite = azurite.port;
    return `127.0.0.1:${azurite.port}`;
  };
  const ownStorage = async () => {
    const connectionString = given['STORAGE_CONNECTION_STRING'] ?? '';
    if (!isDevelopment(given) || connectionString === '') return;
    try {
      if (await ensureContainer(connectionString, container)) report(`Storage: container ${container} made`);
    } catch (error) {
      // The message of the SDK may repeat the address with its signature.
      const { code, name } = error as { code?: unknown; name: string };
      const reason = typeof code === 'string' ? code : name;
      report(
        `Storage: the container ${container} could not be made (${reason}); photos will be answered 503`,
      );
    }
  };
  const ai = async () => {
    const service = await startAiService(folder, {
      port: ports.ai,
      logFile: join(logs, 'ai-service.log'),
      key: given['AI_SERVICE_KEY'],
    });
    children.push(service.child);
    settings['AI_SERVICE_URL'] = service.url;
    ports.ai = service.port;
    return `127.0.0.1:${service.port}`;
  };
  let mailCatcher: MailCatcher | undefined;
  const mail = async () => {
    mailCatcher = await startMailCatcher({ smtpPort: ports.smtp, inboxPort: ports.inbox });
    settings['MAIL_URL'] = mailCatcher.smtpUrl;
    if (!isGiven('MAIL_FROM')) settings['MAIL_FROM'] = 'no-reply@dermagate.example';
    ports.smtp = mailCatcher.smtpPort;
    ports.inbox = mailCatcher.inboxPort;
    return `127.0.0.1:${mailCatcher.smtpPort}, inbox at ${mailCatcher.inboxUrl}`;
  };

  const starts = [
    { name: 'PostgreSQL', start: database, keys: ['DATABASE_URL'] },
    { name: 'Azurite', start: storage, keys: ['STORAGE_CONNECTION_STRING', 'STORAGE_ACCOUNT_URL'] },
    { name: 'AI service', start: ai, keys: ['AI_SERVICE_URL'] },
    // Production must bring its own here too: links in its mails point at an https PORTAL_URL.
    ...(isDevelopment(given) ? [{ name: 'Mail catcher', start: mail, keys: ['MAIL_URL'] }] : []),
  ].map(async ({ name, start, keys }) => {
    const key = keys.find(isGiven);
    if (key !== undefined) {
      report(`${name}: the one that ${key} names`);
      if (start === storage) await ownStorage();
      return;
    }
    const startedAt = performance.now();
    report(`${name} starting …`);
    const where = await start();
    report(`${name} ready on ${where} (${seconds(startedAt)})`);
  });
  const stop = async () => {
    await Promise.all([...children.map((child) => child.stop()), mailCatcher?.stop()]);
  };
  const results = await Promise.allSettled(starts);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  savePorts(folder.path, ports);
  const deaths = children.map(async (child) => {
    const outcome = await child.ended;
    return `${child.name} ended by itself (${outcome}). The end of ${endOfLog(child.logFile)}`;
  });
  // With everything given there is no child, and Promise.race of nothing never settles: that is meant.
  const ownDatabase = !isGiven('DATABASE_URL');
  return { settings, ownDatabase, inboxUrl: mailCatcher?.inboxUrl, death: Promise.race(deaths), stop };
}

/** As Core Tools and dev/packages/functions-host have it: development where nothing else is said. */
export const isDevelopment = (given: Settings): boolean =>
  (given['AZURE_FUNCTIONS_ENVIRONMENT'] || 'Development') === 'Development';

/** Time since `startedAt` (of performance.now) as people read it. */
export const seconds = (startedAt: number): string =>
  `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
