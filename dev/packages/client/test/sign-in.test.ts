import { describe, expect, test } from 'vitest';
import { inMemory } from '../src/index.ts';
import { pair, problem, signedInClient } from './scripted-gateway.ts';

const credentials = { email: 'a@example.org', password: 'correct horse' };

describe.each([
  ['logIn', '/api/auth/login'],
  ['register', '/api/auth/register'],
] as const)('%s', (method, path) => {
  const call = ({ api }: ReturnType<typeof signedInClient>, signal?: AbortSignal) =>
    method === 'logIn'
      ? api.session.logIn(credentials, { signal })
      : api.session.register({ ...credentials, role: 'patient' }, { tenant: 'clinic', signal });

  test('stores the pair and sends no token of the previous user', async () => {
    const client = signedInClient();
    client.gateway.replies[path] = () => Response.json(pair(5));
    expect(await call(client)).toEqual(pair(5));
    expect(client.tokens.load()).toEqual(pair(5));
    expect(client.gateway.to(path).map(({ authorization }) => authorization)).toEqual([null]);
  });

  test('that is refused changes nothing', async () => {
    const client = signedInClient();
    client.gateway.replies[path] = () => problem(401, 'invalid_credentials');
    await expect(call(client)).rejects.toMatchObject({ code: 'invalid_credentials', status: 401 });
    expect(client.tokens.load()).toEqual(pair(0));
    expect(client.gateway.sent).toHaveLength(1);
  });

  test('ends when its signal aborts', async () => {
    const client = signedInClient();
    client.gateway.replies[path] = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    await expect(call(client, AbortSignal.timeout(20))).rejects.toThrow('timeout');
    expect(client.tokens.load()).toEqual(pair(0));
  });
});

test('a registration names the tenant in the query', async () => {
  const { api, gateway } = signedInClient();
  gateway.replies['/api/auth/register'] = () => Response.json(pair(5), { status: 201 });
  await api.session.register({ ...credentials, role: 'patient' }, { tenant: 'clinic', lang: 'he' });
  expect(gateway.sent[0]?.request.url).toBe(
    'https://gateway.example/api/auth/register?tenant=clinic&lang=he',
  );
});

describe('logOut', () => {
  test('removes the pair and ends its session, without an access token', async () => {
    const { api, gateway, tokens, signedOut } = signedInClient();
    gateway.replies['/api/auth/logout'] = () => new Response(null, { status: 204 });
    await api.session.logOut();
    expect(tokens.load()).toBeUndefined();
    const [sent] = gateway.sent;
    expect([sent?.path, sent?.authorization]).toEqual(['/api/auth/logout', null]);
    expect(sent?.request.keepalive).toBe(true);
    expect(await sent?.request.json()).toEqual({ refresh_token: 'refresh-0' });
    expect(signedOut()).toBe(0);
  });

  test('removes the pair immediately, even when the gateway needs a second attempt', async () => {
    const { api, gateway, tokens } = signedInClient();
    const replies = [
      problem(503, 'unavailable', { 'retry-after': '0' }),
      new Response(null, { status: 204 }),
    ];
    const keptAtTheTime: unknown[] = [];
    gateway.replies['/api/auth/logout'] = async () => {
      keptAtTheTime.push(await tokens.load());
      return replies.shift() as Response;
    };
    await api.session.logOut();
    expect(keptAtTheTime).toEqual([undefined, undefined]);
  });

  test('without a signed-in user sends nothing', async () => {
    const { api, gateway } = signedInClient({ tokens: inMemory() });
    await api.session.logOut();
    expect(gateway.sent).toHaveLength(0);
  });
});
