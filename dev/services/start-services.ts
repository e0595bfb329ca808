import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startAiService } from './ai.ts';
import { ensureContainer, startAzurite } from './azurite.ts';
import { type Child, endOfLog } from './child.ts';
import type { LockedFolder } from './folder-lock.ts';
import { createPortAllocator } from './free-port.ts';
import { savePorts, loadPorts, loadSecrets } from './local-state.ts';
import { type MailCatcher, startMailCatcher } from './mail-catcher.ts';
import { ensureDatabase, replaceDatabase, startPostgres } from './postgres.ts';
import { startWebPubSub, type WebPubSub } from './web-pubsub.ts';

/** Settings by name, as the app sees them; an empty setting counts as not set. */
export type Settings = Readonly<Record<string, string | undefined>>;

export type Services = {
  /** Settings that were not given: addresses of the started services and, in development, generated secrets. */
  settings: Record<string, string>;
  /** Puts an empty database in place of ours; undefined where DATABASE_URL named another. */
  replaceDatabase: (() => Promise<void>) | undefined;
  /** Address of the inbox with caught mails; undefined when MAIL_URL names another server. */
  inboxUrl: string | undefined;
  /** Whether live counts are published: by the stand-in, or by the service that WEBPUBSUB_… names. */
  hasWebPubSub: boolean;
  /** Resolves when a service ends unexpectedly, with a message for the developer. */
  death: Promise<string>;
  stop: () => Promise<void>;
};

/** Receives progress, line by line. */
export type Report = (line: string) => void;

const DATABASE = 'dermagate';
/** Where the app listens without PORT, and the portal without PORTAL_PORT. */
export const DEFAULT_PORT = 7071;
export const DEFAULT_PORTAL_PORT = 5173;

/**
 * Starts PostgreSQL, Azurite, the reference AI service and, in development, the mail catcher and Web PubSub in parallel, with
 * their data in `folder`, except those that `given` names (DATABASE_URL, STORAGE_CONNECTION_STRING or STORAGE_ACCOUNT_URL,
 * AI_SERVICE_URL, MAIL_URL, WEBPUBSUB_CONNECTION_STRING or WEBPUBSUB_ENDPOINT). In development it creates a missing container in
 * a given storage account. When a service does not start, it stops the others and throws the error.
 */
export async function startServices(
  folder: LockedFolder,
  given: Settings,
  report: Report,
): Promise<Services> {
  const isGiven = (key: string) => (given[key] ?? '') !== '';
  const logs = join(folder.path, 'logs');
  // Logs and photos may contain private data of the developer.
  for (const path of [logs, join(folder.path, 'azurite')]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const secrets = loadSecrets(folder.path);
  const lastPorts = loadPorts(folder.path);
  const ports = createPortAllocator(askedPorts(given), Object.values(lastPorts));
  const children: Child[] = [];
  const settings: Record<string, string> = {};
  const container = given['STORAGE_CONTAINER'] || 'images';
  const { SECRET_KEY, PASSWORD_PEPPER, FIELD_ENCRYPTION_KEY } = secrets;
  for (const [key, value] of Object.entries({ SECRET_KEY, PASSWORD_PEPPER, FIELD_ENCRYPTION_KEY })) {
    // Production must have its own, even on a laptop: otherwise its refusal to start without them is never tested.
    if (isDevelopment(given) && !isGiven(key)) settings[key] = value;
  }

  let replaceOurs: (() => Promise<void>) | undefined;
  const database = async () => {
    const postgres = await startPostgres(folder, {
      port: lastPorts.postgres,
      ports,
      superuserPassword: secrets.postgresSuperuser,
      logFile: join(logs, 'postgres.log'),
    });
    children.push(postgres.child);
    const owner = { role: DATABASE, password: secrets.postgresOwner, database: DATABASE };
    settings['DATABASE_URL'] = await ensureDatabase(postgres, owner);
    replaceOurs = async () => void (await replaceDatabase(postgres, owner));
    lastPorts.postgres = postgres.port;
    return `127.0.0.1:${postgres.port}`;
  };
  const storage = async () => {
    const azurite = await startAzurite(folder, {
      port: lastPorts.azurite,
      ports,
      accountKey: secrets.azuriteAccount,
      logFile: join(logs, 'azurite.log'),
    });
    children.push(azurite.child);
    await ensureContainer(azurite.connectionString, container);
    settings['STORAGE_CONNECTION_STRING'] = azurite.connectionString;
    lastPorts.azurite = azurite.port;
    return `127.0.0.1:${azurite.port}`;
  };
  const ownStorage = async () => {
    const connectionString = given['STORAGE_CONNECTION_STRING'] ?? '';
    if (!isDevelopment(given) || connectionString === '') return;
    try {
      if (await ensureContainer(connectionString, container))
        report(`Storage: container ${container} created`);
    } catch (error) {
      // The message of the SDK may repeat the address with its signature.
      const { code, name } = error as { code?: unknown; name: string };
      const reason = typeof code === 'string' ? code : name;
      report(
        `Storage: the container ${container} could not be created (${reason}); requests with photos will get 503`,
      );
    }
  };
  const ai = async () => {
    const service = await startAiService(folder, {
      port: lastPorts.ai,
      ports,
      logFile: join(logs, 'ai-service.log'),
      key: given['AI_SERVICE_KEY'],
    });
    children.push(service.child);
    settings['AI_SERVICE_URL'] = service.url;
    lastPorts.ai = service.port;
    return `127.0.0.1:${service.port}`;
  };
  let mailCatcher: MailCatcher | undefined;
  const mail = async () => {
    mailCatcher = await startMailCatcher({ smtpPort: lastPorts.smtp, inboxPort: lastPorts.inbox, ports });
    settings['MAIL_URL'] = mailCatcher.smtpUrl;
    if (!isGiven('MAIL_FROM')) settings['MAIL_FROM'] = 'no-reply@dermagate.example';
    lastPorts.smtp = mailCatcher.smtpPort;
    lastPorts.inbox = mailCatcher.inboxPort;
    return `127.0.0.1:${mailCatcher.smtpPort}, inbox at ${mailCatcher.inboxUrl}`;
  };

  let webPubSub: WebPubSub | undefined;
  const live = async () => {
    webPubSub = await startWebPubSub({ port: lastPorts.webPubSub, ports, key: secrets.webPubSub });
    settings['WEBPUBSUB_CONNECTION_STRING'] = webPubSub.connectionString;
    lastPorts.webPubSub = webPubSub.port;
    return `127.0.0.1:${webPubSub.port}`;
  };

  const starts = [
    { name: 'PostgreSQL', start: database, keys: ['DATABASE_URL'] },
    { name: 'Azurite', start: storage, keys: ['STORAGE_CONNECTION_STRING', 'STORAGE_ACCOUNT_URL'] },
    { name: 'AI service', start: ai, keys: ['AI_SERVICE_URL'] },
    // Production must have its own here too: links in its mails point to an https PORTAL_URL.
    ...(isDevelopment(given)
      ? [
          { name: 'Mail catcher', start: mail, keys: ['MAIL_URL'] },
          { name: 'Web PubSub', start: live, keys: ['WEBPUBSUB_CONNECTION_STRING', 'WEBPUBSUB_ENDPOINT'] },
        ]
      : []),
  ].map(async ({ name, start, keys }) => {
    const key = keys.find(isGiven);
    if (key !== undefined) {
      report(`${name}: as set by ${key}`);
      if (start === storage) await ownStorage();
      return;
    }
    const startedAt = performance.now();
    report(`${name} starting …`);
    const where = await start();
    report(`${name} ready on ${where} (${seconds(startedAt)})`);
  });
  const stop = async () => {
    await Promise.all([...children.map((child) => child.stop()), mailCatcher?.stop(), webPubSub?.stop()]);
  };
  const results = await Promise.allSettled(starts);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  savePorts(folder.path, lastPorts);
  const deaths = children.map(async (child) => {
    const outcome = await child.ended;
    return `${child.name} ended by itself (${outcome}). The end of ${endOfLog(child.logFile)}`;
  });
  // With all services given there is no child, and Promise.race of nothing never settles, as intended.
  return {
    settings,
    replaceDatabase: replaceOurs,
    inboxUrl: mailCatcher?.inboxUrl,
    hasWebPubSub:
      webPubSub !== undefined || isGiven('WEBPUBSUB_CONNECTION_STRING') || isGiven('WEBPUBSUB_ENDPOINT'),
    death: Promise.race(deaths),
    stop,
  };
}

/** Where the app and the portal are asked to listen: no service may be there before them. */
function askedPorts({ PORT, PORTAL_PORT }: Settings): number[] {
  return [PORT || DEFAULT_PORT, PORTAL_PORT || DEFAULT_PORTAL_PORT].map(Number);
}

/** Development by default, as in Core Tools and dev/packages/functions-host. */
export const isDevelopment = (given: Settings): boolean =>
  (given['AZURE_FUNCTIONS_ENVIRONMENT'] || 'Development') === 'Development';

/** Time since `startedAt` (of performance.now), such as `1.2 s`. */
export const seconds = (startedAt: number): string =>
  `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
