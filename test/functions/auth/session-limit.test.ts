import { expect, test } from 'vitest';
import {
  type Account,
  claimsOf,
  goodPassword,
  logIn,
  me,
  refresh,
  register,
  resetTokenFor,
  tenantRows,
  type Tokens,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2' } });

/** Opens `count` sessions of an account, each with a refresh token, as logins of years would. */
async function openMany({ email }: Account, count: number): Promise<void> {
  await tenantRows(
    app,
    `WITH opened AS (
       INSERT INTO sessions (uuid, tenant_id, user_id, auth_time, last_used_at, idle_expires_at, absolute_expires_at)
       SELECT gen_random_uuid(), tenant_id, id, now(), now() - interval '1 hour' - n * interval '1 ms', now() + interval '1 day',
              now() + interval '1 day'
       FROM users, generate_series(1, $2) AS n WHERE email = $1
       RETURNING uuid, tenant_id, user_id)
     INSERT INTO refresh_tokens (tenant_id, user_id, session_uuid, token_hash, expires_at)
     SELECT tenant_id, user_id, uuid, sha256(uuid::text::bytea), now() + interval '1 day' FROM opened`,
    [email, count],
  );
}

/** Open sessions, and refresh tokens that are not revoked. */
async function openOf({ email }: Account): Promise<{ sessions: number; tokens: number }> {
  const [row] = await tenantRows<{ sessions: number; tokens: number }>(
    app,
    `SELECT (SELECT count(*)::int FROM sessions s WHERE s.user_id = u.id AND revoked_at IS NULL) AS sessions,
            (SELECT count(*)::int FROM refresh_tokens t WHERE t.user_id = u.id AND NOT revoked) AS tokens
     FROM users u WHERE email = $1`,
    [email],
  );
  return row as { sessions: number; tokens: number };
}

/** Ten times what an account may have today. */
const many = 2_000;

const ways: [
  string,
  (account: Account) => Promise<Response>,
  number,
  { sessions: number; tokens: number },
][] = [
  [
    'logout-all',
    (account) => app.request('/api/auth/logout-all', { method: 'POST', token: account.access_token }),
    204,
    { sessions: 0, tokens: 0 },
  ],
  [
    'change-password',
    (account) =>
      app.request('/api/auth/change-password', {
        token: account.access_token,
        json: { current_password: goodPassword, new_password: 'a brand new password' },
      }),
    200,
    { sessions: 1, tokens: 1 },
  ],
  [
    'reset-password',
    async (account) =>
      await app.request('/api/auth/reset-password', {
        json: { token: await resetTokenFor(app, account.email), new_password: 'a brand new password' },
      }),
    200,
    { sessions: 0, tokens: 0 },
  ],
];

test.each(ways)(
  '%s ends all open sessions with their tokens',
  async (_way, end, status, left) => {
    const account = await register(app);
    await openMany(account, many);
    const reply = await end(account);
    expect(reply.status, await reply.text()).toBe(status);
    expect(await openOf(account)).toEqual(left);
  },
  120_000,
);

test('a user has at most 200 open sessions: one more ends the least recently used', async () => {
  const account = await register(app);
  await openMany(account, 198);
  const [kept, newest] = [await logIn(app, account), await logIn(app, account)].map(
    async (reply) => (await reply.json()) as Tokens,
  );
  expect(await openOf(account)).toEqual({ sessions: 200, tokens: 200 });
  const [{ uuid: oldest }] = (await tenantRows<{ uuid: string }>(
    app,
    `SELECT uuid FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = $1) AND revoked_at IS NOT NULL`,
    [account.email],
  )) as [{ uuid: string }];
  // Registered first, but used last: what 198 others were used before is not the one that ends.
  expect(oldest).not.toBe(claimsOf(account.access_token).sid);
  for (const tokens of [kept, newest])
    expect((await me(app, (await tokens)?.access_token ?? '')).status).toBe(200);
  expect((await me(app, account.access_token)).status).toBe(200);
});

test('the session that was refreshed last lives, the one that was only opened last ends', async () => {
  const few = await anotherInstance(app, { LIMIT_SESSIONS_PER_USER: '2' });
  const account = await register(few);
  const second = (await (await logIn(few, account)).json()) as Tokens;
  const renewed = (await (await refresh(few, account.refresh_token)).json()) as Tokens;
  const third = (await (await logIn(few, account)).json()) as Tokens;
  expect((await me(few, second.access_token)).status).toBe(401);
  expect((await refresh(few, second.refresh_token)).status).toBe(401);
  for (const { access_token } of [renewed, third]) expect((await me(few, access_token)).status).toBe(200);
});

test('logins side by side never leave more than the limit', async () => {
  const few = await anotherInstance(app, { LIMIT_SESSIONS_PER_USER: '3' });
  const account = await register(few);
  const replies = await Promise.all(Array.from({ length: 9 }, () => logIn(few, account)));
  expect(replies.map(({ status }) => status)).toEqual(Array<number>(9).fill(200));
  expect(await openOf(account)).toEqual({ sessions: 3, tokens: 3 });
});
