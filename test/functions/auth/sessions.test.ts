import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  authEvents,
  claimsOf,
  codeOf,
  createTenant,
  freshEmail,
  from,
  goodPassword,
  logIn,
  me,
  refresh,
  register,
  simultaneously,
  statusesOf,
  tenantRows,
  type Tokens,
} from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2' } });

const logOut = (refreshToken: unknown, id = 'any') =>
  app.request('/api/auth/logout', {
    json: { refresh_token: refreshToken },
    headers: { 'x-request-id': id },
  });

const tokensOf = async (reply: Response | Promise<Response>) => (await (await reply).json()) as Tokens;

interface Listed {
  id: string;
  created_at: string;
  last_used_at: string;
  user_agent: string | null;
  ip_prefix: string | null;
  current: boolean;
}

async function listed(token: string): Promise<Listed[]> {
  const reply = await app.request('/api/auth/sessions', { token });
  expect(reply.status).toBe(200);
  return ((await reply.json()) as { sessions: Listed[] }).sessions;
}

test('logout ends the whole session at once: access token, refresh token, all', async () => {
  const account = await register(app);
  const elsewhere = await tokensOf(logIn(app, account));
  const reply = await logOut(account.refresh_token, 'logout-1');
  expect(reply.status).toBe(204);
  expect(await reply.text()).toBe('');
  expect(reply.headers.get('content-type')).toBeNull();
  const refused = await me(app, account.access_token);
  expect(refused.status).toBe(401);
  expect(await codeOf(refused)).toBe('token_invalid');
  expect((await refresh(app, account.refresh_token)).status).toBe(401);
  expect((await me(app, elsewhere.access_token)).status).toBe(200);
  expect(await authEvents(app, 'logout-1')).toMatchObject([
    { action: 'session_ended', outcome: 'success', detail: { reason: 'logout' }, tenant_id: 1 },
  ]);
});

test('logout needs no access token and answers 204 to any token', async () => {
  const account = await register(app);
  for (const token of [
    account.refresh_token,
    account.refresh_token,
    `dgr_${'A'.repeat(43)}`,
    account.access_token,
    '',
    'nonsense',
    'x'.repeat(5000),
  ]) {
    expect((await logOut(token)).status).toBe(204);
  }
  for (const token of [null, 5, ['x']]) expect((await logOut(token)).status).toBe(400);
});

test('logout with a token that was already exchanged ends the session too', async () => {
  const account = await register(app);
  const next = await tokensOf(refresh(app, account.refresh_token));
  expect((await logOut(account.refresh_token)).status).toBe(204);
  expect((await refresh(app, next.refresh_token)).status).toBe(401);
  expect((await me(app, next.access_token)).status).toBe(401);
});

test('twenty simultaneous logouts of one session are one event', async () => {
  const account = await register(app);
  const replies = await simultaneously(20, () => logOut(account.refresh_token, 'logout-many'));
  expect(statusesOf(replies)).toEqual(Array<number>(20).fill(204));
  expect(await authEvents(app, 'logout-many')).toHaveLength(1);
});

test('logout-all ends every session of the account and of no other', async () => {
  const account = await register(app);
  const bystander = await register(app);
  const others = await Promise.all([1, 2, 3].map(() => tokensOf(logIn(app, account))));
  const reply = await app.request('/api/auth/logout-all', {
    method: 'POST',
    token: account.access_token,
    headers: { 'x-request-id': 'logout-all' },
  });
  expect(reply.status).toBe(204);
  for (const tokens of [account, ...others]) {
    expect((await me(app, tokens.access_token)).status).toBe(401);
    expect((await refresh(app, tokens.refresh_token)).status).toBe(401);
  }
  expect((await me(app, bystander.access_token)).status).toBe(200);
  expect(await authEvents(app, 'logout-all')).toMatchObject([
    { action: 'session_ended', outcome: 'success', detail: { reason: 'logout_all', sessions: 4 } },
  ]);
  expect((await logIn(app, account)).status).toBe(200);
});

test('logout-all needs a valid access token', async () => {
  expect((await app.request('/api/auth/logout-all', { method: 'POST' })).status).toBe(401);
});

test('the list shows every open session, exactly one of them current', async () => {
  const email = freshEmail('lister');
  const open = (path: string, agent: string, address: string) =>
    app.request(path, {
      json: { email, password: goodPassword, ...(path.endsWith('register') && { role: 'patient' }) },
      headers: { 'user-agent': agent, ...from(address) },
    });
  const phone = await tokensOf(open('/api/auth/register', 'Phone/1.0', '203.0.113.7'));
  const desk = await tokensOf(open('/api/auth/login', 'Desk/2.0', '2001:db8:7:8::9'));
  const gone = await tokensOf(open('/api/auth/login', 'Gone/3.0', '203.0.113.8'));
  await logOut(gone.refresh_token);
  const renewed = await tokensOf(refresh(app, phone.refresh_token));

  const seen = await listed(desk.access_token);
  expect(seen).toEqual([
    {
      id: claimsOf(phone.access_token).sid,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      last_used_at: expect.any(String),
      user_agent: 'Phone/1.0',
      ip_prefix: '203.0.113.0/24',
      current: false,
    },
    {
      id: claimsOf(desk.access_token).sid,
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      user_agent: 'Desk/2.0',
      ip_prefix: '2001:db8:7:8::/64',
      current: true,
    },
  ]);
  expect(Date.parse(seen[0]?.last_used_at as string)).toBeGreaterThan(
    Date.parse(seen[0]?.created_at as string),
  );
  const fromPhone = await listed(renewed.access_token);
  expect(fromPhone.map(({ current }) => current)).toEqual([true, false]);
});

test('sessions that have run out are not listed', async () => {
  const account = await register(app);
  const idle = await tokensOf(logIn(app, account));
  const outlived = await tokensOf(logIn(app, account));
  await tenantRows(app, `UPDATE sessions SET idle_expires_at = now() - interval '1 s' WHERE uuid = $1`, [
    claimsOf(idle.access_token).sid,
  ]);
  await tenantRows(app, `UPDATE sessions SET absolute_expires_at = now() - interval '1 s' WHERE uuid = $1`, [
    claimsOf(outlived.access_token).sid,
  ]);
  expect((await listed(account.access_token)).map(({ id }) => id)).toEqual([
    claimsOf(account.access_token).sid,
  ]);
  expect((await me(app, outlived.access_token)).status).toBe(401);
});

test('the current session is listed however many were used after it', async () => {
  const account = await register(app);
  await tenantRows(
    app,
    `INSERT INTO sessions (uuid, tenant_id, user_id, auth_time, last_used_at, idle_expires_at, absolute_expires_at)
     SELECT gen_random_uuid(), tenant_id, id, now(), now() + interval '1 minute', now() + interval '1 day', now() + interval '1 day'
     FROM users, generate_series(1, 250) WHERE email = $1`,
    [account.email],
  );
  const seen = await listed(account.access_token);
  expect(seen.length).toBeLessThanOrEqual(200);
  expect(seen.filter(({ current }) => current)).toEqual([
    expect.objectContaining({ id: claimsOf(account.access_token).sid }),
  ]);
});

test('a user ends one of the own sessions and the others live', async () => {
  const account = await register(app);
  const lost = await tokensOf(logIn(app, account));
  const end = (id: string, requestId = 'any') =>
    app.request(`/api/auth/sessions/${id}`, {
      method: 'DELETE',
      token: account.access_token,
      headers: { 'x-request-id': requestId },
    });
  const { sid } = claimsOf(lost.access_token);
  expect((await end(sid, 'end-one')).status).toBe(204);
  expect((await me(app, lost.access_token)).status).toBe(401);
  expect((await refresh(app, lost.refresh_token)).status).toBe(401);
  expect((await me(app, account.access_token)).status).toBe(200);
  expect(await authEvents(app, 'end-one')).toMatchObject([
    { action: 'session_ended', outcome: 'success', detail: { reason: 'revoked_by_user' } },
  ]);
  // Over is over.
  expect((await end(sid)).status).toBe(404);
  // Also one's own.
  expect((await end(claimsOf(account.access_token).sid)).status).toBe(204);
  expect((await me(app, account.access_token)).status).toBe(401);
});

test('another user’s session, an unknown and a malformed one are 404 alike, and nothing ends', async () => {
  const account = await register(app);
  const victim = await register(app);
  await createTenant(app, 'sessions-elsewhere');
  const stranger = await register(app, { tenant: 'sessions-elsewhere' });
  const admin = await register(app, { role: 'admin' });
  for (const token of [account.access_token, admin.access_token]) {
    for (const id of [
      claimsOf(victim.access_token).sid,
      claimsOf(stranger.access_token).sid,
      randomUUID(),
      'not-a-uuid',
      '1 OR 1=1',
      '..%2f..',
    ]) {
      const reply = await app.request(`/api/auth/sessions/${id}`, { method: 'DELETE', token });
      expect(reply.status, id).toBe(404);
      expect(await codeOf(reply)).toBe('not_found');
    }
  }
  expect((await me(app, victim.access_token)).status).toBe(200);
  expect((await me(app, stranger.access_token)).status).toBe(200);
});
