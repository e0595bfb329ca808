import { expect, test } from 'vitest';
import { isDatabaseUnavailable } from '../../../src/lib/db/errors.ts';
import { createEntraToken } from '../../../src/lib/db/entra-token.ts';
import { serverAddress } from '../../../src/lib/db/server-address.ts';

const hour = 3_600_000;
const minute = 60_000;

/** A credential whose tokens hold for an hour, with a clock that the test turns. */
function scripted() {
  let now = Date.UTC(2026, 0, 1);
  let count = 0;
  let fails = false;
  let hangs = false;
  const scopes: string[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const credential = {
    async getToken(scope: string, options?: { abortSignal?: AbortSignal }) {
      scopes.push(scope);
      signals.push(options?.abortSignal);
      await Promise.resolve();
      if (hangs) return await new Promise<never>(() => undefined);
      if (fails) throw new Error('IMDS is away');
      return { token: `token-${(count += 1)}`, expiresOnTimestamp: now + hour };
    },
  };
  return {
    scopes,
    signals,
    token: createEntraToken(async () => credential, { now: () => new Date(now) }, 20),
    pass: (ms: number) => void (now += ms),
    hang: (whether: boolean) => void (hangs = whether),
    fail: (whether: boolean) => void (fails = whether),
  };
}

test('ten connections that open at once ask for one token, of PostgreSQL’s scope', async () => {
  const { token, scopes } = scripted();
  const tokens = await Promise.all(Array.from({ length: 10 }, token));
  expect(new Set(tokens)).toEqual(new Set(['token-1']));
  expect(scopes).toEqual(['https://ossrdbms-aad.database.windows.net/.default']);
});

test('a token serves until five minutes before its end', async () => {
  const { token, pass } = scripted();
  expect(await token()).toBe('token-1');
  pass(hour - 5 * minute - 1);
  expect(await token()).toBe('token-1');
  pass(1);
  expect(await token()).toBe('token-2');
});

test('while no new token can be had the old one serves as long as it holds, and no longer', async () => {
  const { token, pass, fail } = scripted();
  await token();
  fail(true);
  pass(hour - minute);
  expect(await token()).toBe('token-1');
  pass(minute);
  const refusal = await token().catch((error: unknown) => error);
  expect(isDatabaseUnavailable(refusal)).toBe(true);
  expect(String(refusal)).not.toContain('token-');
  fail(false);
  expect(await token()).toBe('token-2');
});

test('while no answer comes the old token serves as long as it holds, then connections fail in time', async () => {
  const { token, pass, hang, signals } = scripted();
  await token();
  hang(true);
  pass(hour - minute);
  expect(await Promise.all([token(), token()])).toEqual(['token-1', 'token-1']);
  expect(signals).toHaveLength(2);
  expect(signals[1]?.aborted).toBe(true);
  pass(minute);
  const refusal = await token().catch((error: unknown) => error);
  expect(isDatabaseUnavailable(refusal)).toBe(true);
  // The silent request holds up no later one.
  hang(false);
  expect(await token()).toBe('token-2');
});

test('a credential that cannot be opened in time is opened anew', async () => {
  let opened = 0;
  const expiresOnTimestamp = Date.now() + hour;
  const open = () => {
    opened += 1;
    if (opened === 1) return new Promise<never>(() => undefined);
    return Promise.resolve({ getToken: async () => ({ token: 'token', expiresOnTimestamp }) });
  };
  const token = createEntraToken(open, undefined, 20);
  expect(isDatabaseUnavailable(await token().catch((error: unknown) => error))).toBe(true);
  expect(await token()).toBe('token');
});

test('a token goes only over TLS that proves the server, except within this machine', async () => {
  const token = async () => 'token';
  expect(serverAddress('postgresql://id-app@db.example.net/app?sslmode=disable', token)).toEqual({
    host: 'db.example.net',
    port: 5432,
    user: 'id-app',
    database: 'app',
    password: token,
    ssl: true,
  });
  expect(serverAddress('postgresql://id%40app@[::1]:5433/app', token)).toMatchObject({
    host: '::1',
    port: 5433,
    user: 'id@app',
    ssl: false,
  });
});

test('a password in the address is used as it is', () => {
  const url = 'postgresql://app:secret@db.example.net/app?sslmode=verify-full';
  expect(serverAddress(url)).toEqual({ connectionString: url });
});
