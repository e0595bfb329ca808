import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { inject } from 'vitest';
import { createRequestCheck } from '../../dev/tools/contract/request-faults.ts';
import { hostSettings } from '../../dev/run/settings.ts';
import { startAiService } from '../../dev/services/ai.ts';
import { unlimited } from '../../dev/run/unlimited.ts';
import { lockFolder } from '../../dev/services/folder-lock.ts';
import { afterwards, isFileScope, sharedOnce } from './cleanup.ts';
import { compileCache } from './compile-cache.ts';
import { startTestDatabase } from './database.ts';
import { type FakeAi, fakeAi } from './fake-ai.ts';
import { type RunOptions, runApp, runTimer } from './run-app.ts';
import { borrowApp } from './shared-apps.ts';
import { showOutputOnFailure } from './show-output.ts';
import { tempFolder } from './temp-folder.ts';
import type { RequestOptions, TestApp } from './test-app.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const requests = createRequestCheck(
  JSON.parse(readFileSync(join(ROOT, 'docs', 'openapi.json'), 'utf8')) as Record<string, unknown>,
);

export type TestAppOptions<Ai extends FakeAi | 'real'> = {
  /** The AI service to use: one that the test scripts (the default), or the reference service as a process. */
  ai?: Ai;
  /** Added to, or with undefined removed from, the app's environment. */
  env?: Record<string, string | undefined>;
  /**
   * Its own app and database, although it needs no special settings: for a file that breaks something in them, or that
   * counts what they have done so far.
   */
  alone?: boolean;
} & Pick<RunOptions, 'process' | 'main' | 'folder'>;

export type { RequestOptions, TestApp };

/**
 * The whole function app on dev/packages/functions-host, as a client sees it, with a database, a blob container and an AI service
 * of its own. Timers run when a test says so (`runTimer`). Everything goes with the calling file (or test).
 * At the top level of a test file: `const app = await testApp()`. Files without settings of their own borrow one app
 * after the other and find it empty.
 */
export async function testApp<Ai extends FakeAi | 'real' = FakeAi>(
  options: TestAppOptions<Ai> = {},
): Promise<TestApp<Ai>> {
  const app = isShareable(options)
    ? await borrowApp(options.ai === 'real' ? 'real AI' : 'fake AI', () => startApp(sharedSettings(options)))
    : await startApp(options);
  showOutputOnFailure(`the app at ${app.url}`, app.output);
  return app;
}

function isShareable({ ai, env = {}, alone = false, ...run }: TestAppOptions<FakeAi | 'real'>): boolean {
  const usual = Object.entries(env).every(([key, value]) => sharedEnv[key] === value);
  return (
    usual &&
    !alone &&
    (ai ?? 'real') === 'real' &&
    run.process !== true &&
    run.main === undefined &&
    run.folder === undefined &&
    isFileScope()
  );
}

/** The most that files without settings of their own ask for. */
const sharedEnv: Record<string, string | undefined> = { TRUSTED_PROXY_HOPS: '2', PG_POOL_MAX: '12' };

const sharedSettings = <Ai extends FakeAi | 'real'>(options: TestAppOptions<Ai>): TestAppOptions<Ai> => ({
  ...options,
  env: sharedEnv,
});

async function startApp<Ai extends FakeAi | 'real'>(options: TestAppOptions<Ai>): Promise<TestApp<Ai>> {
  const [blobs, ai] = await Promise.all([testContainer(), testAi(options.ai)]);
  const { url: databaseUrl, db, created } = startTestDatabase();
  const env = appEnvironment({
    DATABASE_URL: databaseUrl,
    STORAGE_CONNECTION_STRING: inject('services').storageConnectionString,
    STORAGE_CONTAINER: blobs.containerName,
    AI_SERVICE_URL: ai.url,
    ...options.env,
  });
  const output: string[] = [];
  // The app connects when it is asked something.
  const starting = runApp({ ...options, env, output: (line) => void output.push(line) });
  const [host] = await Promise.all([starting, created]);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= host.stop());
  afterwards(stop);
  return {
    url: host.url,
    host,
    ai: ai.fake as TestApp<Ai>['ai'],
    db,
    databaseUrl,
    blobs,
    env,
    output,
    request: (path, request) => send(new URL(path, host.url), request),
    runTimer: (name) => runTimer(host, name),
    stop,
  };
}

function send(url: URL, { json, token, strayQuery = [], ...init }: RequestOptions = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has('x-azure-fdid')) headers.set('x-azure-fdid', FRONT_DOOR_ID);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (json !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const body = json === undefined ? init.body : JSON.stringify(json);
  const method = init.method ?? (body == null ? 'GET' : 'POST');
  const target = new URL(url);
  for (const name of strayQuery) target.searchParams.delete(name);
  const [misspelt] = requests.unknownQuery({ method, target: target.pathname + target.search });
  if (misspelt !== undefined) throw new Error(`${misspelt} (by openapi.json: npm run generate)`);
  return fetch(url, {
    redirect: 'manual',
    ...init,
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

const FRONT_DOOR_ID = '55ce4ed1-4b06-4bf1-b40e-4638452104da';

/** Production trusts a second proxy only as Front Door; `request` sends what ours adds. */
export function withFrontDoor(env: Record<string, string>): Record<string, string> {
  const needed =
    env['AZURE_FUNCTIONS_ENVIRONMENT'] !== 'Development' && Number(env['TRUSTED_PROXY_HOPS']) > 1;
  return needed ? { FRONT_DOOR_ID, ...env } : env;
}

/** All that reaches the app; undefined removes. */
function appEnvironment(given: Record<string, string | undefined>): Record<string, string> {
  const env = {
    AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
    SECRET_KEY: randomBytes(32).toString('base64url'),
    PASSWORD_PEPPER: randomBytes(32).toString('base64url'),
    FIELD_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    // The cheapest that development allows; a test that needs the real cost sets it.
    BCRYPT_COST: '4',
    SELF_REGISTRATION_ROLES: 'patient,physician,admin',
    PG_POOL_MAX: '5',
    // Half a minute without an event is too long for a test.
    SSE_HOLD_MS: '1500',
    SSE_POLL_MS: '100',
    ...compileCache(),
    // A test asks for in seconds what a user asks for in hours; those that are about the limits set them.
    ...unlimited,
    ...hostSettings,
    ...given,
  };
  return withFrontDoor(
    Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  );
}

async function testContainer(): Promise<ContainerClient> {
  const blobs = BlobServiceClient.fromConnectionString(inject('services').storageConnectionString);
  const container = blobs.getContainerClient(`images-${randomBytes(6).toString('hex')}`);
  await container.create();
  afterwards(async () => void (await container.deleteIfExists()));
  return container;
}

async function testAi(
  wanted: FakeAi | 'real' | undefined,
): Promise<{ url: string; fake: FakeAi | undefined }> {
  if (wanted !== 'real') {
    const fake = wanted ?? (await fakeAi());
    return { url: fake.url, fake };
  }
  return { url: await referenceAi(), fake: undefined };
}

/** The address of the reference AI service, a process without state that all files of this worker process share. */
export const referenceAi = sharedOnce(async () => {
  const path = tempFolder();
  const folder = await lockFolder(path, 'npm test');
  return (await startAiService(folder, { logFile: join(path, 'ai-service.log') })).url;
});
