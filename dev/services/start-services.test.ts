import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BlobServiceClient } from '@azure/storage-blob';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LockedFolder, lockFolder, type Holder } from './folder-lock.ts';
import { loadPorts, savePorts } from './local-state.ts';
import { query } from './postgres.ts';
import { type Services, type Settings, startServices } from './start-services.ts';
import { afterwards } from '../../test/support/cleanup.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { lockedFolder, isRunning } from './support.ts';

const GIVEN = {
  DATABASE_URL: 'postgres://somebody@db.example/theirs',
  STORAGE_CONNECTION_STRING: 'DefaultEndpointsProtocol=https;AccountName=theirs',
  AI_SERVICE_URL: 'https://ai.example',
  MAIL_URL: 'smtps://mail.example',
  WEBPUBSUB_ENDPOINT: 'https://live.example',
};
const { STORAGE_CONNECTION_STRING: _, ...ALL_BUT_STORAGE } = GIVEN;

async function start(folder: LockedFolder, given: Settings): Promise<Services & { lines: string[] }> {
  const lines: string[] = [];
  const services = await startServices(folder, given, (line) => void lines.push(line));
  afterwards(services.stop);
  return { ...services, lines };
}

test('no service takes the port of the app or the portal, which do not listen yet, nor that of another', async () => {
  const folder = await lockedFolder();
  // As an earlier start left it, before these ports were asked for.
  const [PORT, PORTAL_PORT, inbox] = [42_071, 42_173, 42_025];
  savePorts(folder.path, { smtp: inbox, inbox: PORT, webPubSub: PORTAL_PORT, ai: inbox });
  const { DATABASE_URL, STORAGE_CONNECTION_STRING } = GIVEN;
  const given = {
    DATABASE_URL,
    STORAGE_CONNECTION_STRING,
    PORT: String(PORT),
    PORTAL_PORT: String(PORTAL_PORT),
  };
  await start(folder, { ...given, AZURE_FUNCTIONS_ENVIRONMENT: 'Development' });
  const ports = Object.values(loadPorts(folder.path));
  expect(ports).toHaveLength(4);
  expect(new Set([...ports, PORT, PORTAL_PORT]).size).toBe(6);
});

const childrenOf = (folder: LockedFolder): number[] => {
  const { children } = JSON.parse(readFileSync(join(folder.path, 'running.json'), 'utf8')) as Holder;
  return children.map(({ pid }) => pid);
};

describe('with nothing given, in one folder', () => {
  const path = tempFolder();
  const images = ({ settings }: Services) =>
    BlobServiceClient.fromConnectionString(settings['STORAGE_CONNECTION_STRING'] ?? '').getContainerClient(
      'images',
    );
  let folder: LockedFolder;
  let first: Services;
  let second: Services;
  const startAll = () => startServices(folder, {}, () => undefined);
  beforeAll(async () => {
    folder = await lockFolder(path, 'npm start');
    first = await startAll();
  });
  afterAll(async () => {
    await Promise.all([first.stop(), second?.stop()]);
    folder.release();
  });

  test('all come up and answer', async () => {
    expect((await fetch(`${first.settings['AI_SERVICE_URL']}/healthy`)).status).toBe(200);
    expect((await fetch(first.inboxUrl ?? '')).status).toBe(200);
    expect(first.settings['MAIL_URL']).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
    await query(first.settings['DATABASE_URL'] ?? '', 'CREATE TABLE kept AS SELECT 42 AS answer');
    await images(first).getBlockBlobClient('kept').uploadData(Buffer.from('photo'));
  });

  test('a stop leaves no process', async () => {
    const pids = childrenOf(folder);
    expect(pids).toHaveLength(3);
    await first.stop();
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('a restart finds addresses, secrets and data', async () => {
    folder.release();
    folder = await lockFolder(path, 'npm start');
    second = await startAll();
    expect(second.settings).toEqual(first.settings);
    expect(second.inboxUrl).toBe(first.inboxUrl);
    expect(await query(second.settings['DATABASE_URL'] ?? '', 'TABLE kept')).toEqual([{ answer: 42 }]);
    expect(String(await images(second).getBlockBlobClient('kept').downloadToBuffer())).toBe('photo');
  });

  test('our database is replaced by an empty one of the same address, although something is connected to it', async () => {
    const url = second.settings['DATABASE_URL'] ?? '';
    const connected = new pg.Client({ connectionString: url });
    connected.on('error', () => undefined);
    await connected.connect();
    await second.replaceDatabase?.();
    expect(await query(url, "SELECT to_regclass('kept') AS kept")).toEqual([{ kept: null }]);
  });

  test('when one service does not start, the reason is reported and the others are stopped', async () => {
    await second.stop();
    writeFileSync(join(path, 'postgres', 'data', 'PG_VERSION'), '12\n');
    await expect(startAll()).rejects.toThrow('was made by PostgreSQL 12');
    expect(childrenOf(folder).filter(isRunning)).toEqual([]);
  });
});

test('what is given is used as it is, and not started', async () => {
  const folder = await lockedFolder();
  const { settings, replaceDatabase, hasWebPubSub, lines } = await start(folder, GIVEN);
  expect([replaceDatabase, hasWebPubSub]).toEqual([undefined, true]);
  expect(Object.keys(settings).toSorted()).toEqual(['FIELD_ENCRYPTION_KEY', 'PASSWORD_PEPPER', 'SECRET_KEY']);
  expect(lines).toContain('PostgreSQL: as set by DATABASE_URL');
  expect(lines).toContain('Mail catcher: as set by MAIL_URL');
  expect(lines).toContain('Web PubSub: as set by WEBPUBSUB_ENDPOINT');
  expect(childrenOf(folder)).toEqual([]);
});

test('a storage account of one’s own gets the container in development, and keeps what is in it', async () => {
  const theirs = await start(await lockedFolder(), { ...ALL_BUT_STORAGE });
  const connection = theirs.settings['STORAGE_CONNECTION_STRING'] ?? '';
  const given = { ...GIVEN, STORAGE_CONNECTION_STRING: connection, STORAGE_CONTAINER: 'photos' };
  const container = BlobServiceClient.fromConnectionString(connection).getContainerClient('photos');

  const production = { ...given, AZURE_FUNCTIONS_ENVIRONMENT: 'Production' };
  await start(await lockedFolder(), production);
  expect(await container.exists()).toBe(false);

  const first = await start(await lockedFolder(), given);
  expect(first.lines).toContain('Storage: container photos created');
  expect((await container.getProperties()).blobPublicAccess).toBeUndefined();
  await container.getBlockBlobClient('kept').uploadData(Buffer.from('photo'));
  const second = await start(await lockedFolder(), given);
  expect(second.lines.join('\n')).not.toContain('Storage: container');
  expect(String(await container.getBlockBlobClient('kept').downloadToBuffer())).toBe('photo');
});

test('a storage account that cannot be reached is no reason not to start, and no secret is printed', async () => {
  const unreachable = `DefaultEndpointsProtocol=http;AccountName=theirs;AccountKey=c2VjcmV0;BlobEndpoint=http://127.0.0.1:9/theirs;`;
  const { lines } = await start(await lockedFolder(), { ...GIVEN, STORAGE_CONNECTION_STRING: unreachable });
  const said = lines.join('\n');
  expect(said).toMatch(
    /Storage: the container images could not be created \(\w+\); requests with photos will get 503/,
  );
  expect(said).not.toContain('c2VjcmV0');
});

test('an empty setting counts as not given', async () => {
  const { settings } = await start(await lockedFolder(), { ...GIVEN, AI_SERVICE_URL: '' });
  expect(settings['AI_SERVICE_URL']).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('secrets are generated once, long enough, and readable by this user only', async () => {
  const folder = await lockedFolder();
  const {
    SECRET_KEY = '',
    PASSWORD_PEPPER = '',
    FIELD_ENCRYPTION_KEY = '',
  } = (await start(folder, GIVEN)).settings;
  expect(Buffer.byteLength(SECRET_KEY)).toBeGreaterThanOrEqual(32);
  expect(Buffer.byteLength(PASSWORD_PEPPER)).toBeGreaterThanOrEqual(32);
  expect(Buffer.from(FIELD_ENCRYPTION_KEY, 'base64')).toHaveLength(32);
  expect(new Set([SECRET_KEY, PASSWORD_PEPPER, FIELD_ENCRYPTION_KEY])).toHaveProperty('size', 3);
  expect(statSync(join(folder.path, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect((await start(folder, GIVEN)).settings).toMatchObject({
    SECRET_KEY,
    PASSWORD_PEPPER,
    FIELD_ENCRYPTION_KEY,
  });
});

test('a secret that is set is not replaced, and production gets none', async () => {
  const folder = await lockedFolder();
  expect((await start(folder, { ...GIVEN, SECRET_KEY: 'theirs' })).settings).not.toHaveProperty('SECRET_KEY');
  expect((await start(folder, { ...GIVEN, AZURE_FUNCTIONS_ENVIRONMENT: 'Production' })).settings).toEqual({});
});

test('the death of a service is reported with its exit status and the end of its log', async () => {
  const folder = await lockedFolder();
  const { death } = await start(folder, ALL_BUT_STORAGE);
  process.kill(childrenOf(folder)[0] ?? 0, 'SIGKILL');
  const message = await death;
  expect(message).toContain('Azurite ended by itself (signal SIGKILL)');
  expect(message).toContain(join(folder.path, 'logs', 'azurite.log'));
  expect(message).toContain('Azurite Blob service successfully listens');
});
