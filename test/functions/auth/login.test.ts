import bcrypt from 'bcryptjs';
import { expect, test } from 'vitest';
import { createThrottleKey } from '../../../src/lib/auth/throttle-key.ts';
import { ipPrefix } from '../../../src/lib/http/client-address.ts';
import {
  authEvents,
  claimsOf,
  codeOf,
  comparable,
  createTenant,
  freshAddress,
  freshEmail,
  from,
  goodPassword,
  logIn,
  me,
  openTransaction,
  refresh,
  register,
  simultaneously,
  statusesOf,
  tenantRows,
  type Tokens,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2', PG_POOL_MAX: '12' } });

async function hashOf(email: string): Promise<string> {
  const [row] = await tenantRows<{ password_hash: string }>(
    app,
    'SELECT password_hash FROM users WHERE email = $1',
    [email],
  );
  return row?.password_hash as string;
}

async function setHash(email: string, hash: string): Promise<void> {
  await tenantRows(app, 'UPDATE users SET password_hash = $2 WHERE email = $1', [email, hash]);
}

/** A hash as an earlier system made it. */
const legacyHash = async (password: string, prefix = '$2b$') =>
  (await bcrypt.hash(password, 4)).replace('$2b$', prefix);

test('a login answers like a registration and notes its time', async () => {
  const account = await register(app);
  const reply = await logIn(app, account);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  const tokens = (await reply.json()) as Tokens;
  expect(tokens).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.stringMatching(/^dgr_[\w-]{43}$/),
    token_type: 'bearer',
    expires_in: 1800,
  });
  expect(claimsOf(tokens.access_token).sid).not.toBe(claimsOf(account.access_token).sid);
  const { user } = (await (await me(app, tokens.access_token)).json()) as { user: { last_login: string } };
  expect(Math.abs(Date.parse(user.last_login) - Date.now())).toBeLessThan(60_000);
  expect((await refresh(app, tokens.refresh_token)).status).toBe(200);
  // A login ends no other session.
  expect((await me(app, account.access_token)).status).toBe(200);
});

test('a wrong password, an unknown address and an unusable account get the same bytes', async () => {
  const account = await register(app);
  const inactive = await register(app);
  await tenantRows(app, 'UPDATE users SET is_active = false WHERE email = $1', [inactive.email]);
  const unusable = await register(app);
  await setHash(unusable.email, '!');
  const off = await createTenant(app, 'login-off');
  const shutOut = await register(app, { tenant: 'login-off' });
  await app.db.query('UPDATE tenants SET is_active = false WHERE id = $1', [off]);
  const replies = new Set<string>();
  for (const email of [account.email, freshEmail(), inactive.email, unusable.email, shutOut.email]) {
    for (const password of ['wrong password', '', 'x'.repeat(1024), '\u{1F600}', `${goodPassword} `]) {
      const reply = await logIn(app, { email, password });
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="dermagate"');
      replies.add(await comparable(reply));
    }
  }
  expect([...replies]).toEqual([expect.stringContaining('"code":"invalid_credentials"')]);
});

test('only the right password learns that the account or its tenant is switched off', async () => {
  const inactive = await register(app);
  await tenantRows(app, 'UPDATE users SET is_active = false WHERE email = $1', [inactive.email]);
  const off = await createTenant(app, 'login-shut');
  const shutOut = await register(app, { tenant: 'login-shut' });
  await app.db.query('UPDATE tenants SET is_active = false WHERE id = $1', [off]);
  for (const account of [inactive, shutOut]) {
    const reply = await logIn(app, account);
    expect(reply.status).toBe(403);
    expect(await codeOf(reply)).toBe('account_inactive');
  }
});

test('a body that is no login is 400 by name and costs no attempt', async () => {
  const cases: [unknown, string[]][] = [
    [{}, ['/email required', '/password required']],
    [{ email: 'x', password: 'y' }, ['/email invalid_format']],
    [{ email: freshEmail(), password: 7 }, ['/password invalid_type']],
    [{ email: freshEmail(), password: 'x'.repeat(1025) }, ['/password too_big']],
    [{ email: freshEmail(), password: 'x', remember: true }, ['/remember unknown_field']],
    [[], ['']],
  ];
  for (const [json, expected] of cases) {
    const reply = await app.request('/api/auth/login', { json, headers: from(freshAddress()) });
    expect(reply.status).toBe(400);
    const { errors } = (await reply.json()) as { errors: { pointer: string; code: string }[] };
    const said = errors.map(({ pointer, code }) => `${pointer} ${code}`);
    for (const refusal of expected) expect(said.join()).toContain(refusal);
  }
});

test('a common password is refused where it is set, not where it is presented', async () => {
  const account = await register(app);
  await setHash(account.email, await legacyHash('password'));
  expect((await logIn(app, { ...account, password: 'password' })).status).toBe(200);
  await setHash(account.email, await legacyHash('abc'));
  expect((await logIn(app, { ...account, password: 'abc' })).status).toBe(200);
});

test.each(['$2a$', '$2b$', '$2y$'])(
  'a %s hash of an earlier system is verified and upgraded',
  async (prefix) => {
    const account = await register(app);
    await setHash(account.email, await legacyHash('old pässword', prefix));
    expect((await logIn(app, { ...account, password: 'old passwort' })).status).toBe(401);
    expect((await hashOf(account.email)).slice(0, 6)).toBe(`${prefix}04`);
    expect((await logIn(app, { ...account, password: 'old pässword' })).status).toBe(200);
    expect(await hashOf(account.email)).toMatch(/^v2\$\$2b\$04\$/);
    expect((await logIn(app, { ...account, password: 'old pässword' })).status).toBe(200);
    expect((await logIn(app, { ...account, password: 'old passwort' })).status).toBe(401);
  },
);

test('a hash of a lower cost is renewed at login, one of the same or a higher cost stays', async () => {
  const dearer = await anotherInstance(app, { BCRYPT_COST: '6' });
  const account = await register(app);
  const before = await hashOf(account.email);
  expect(before).toMatch(/^v2\$\$2b\$04\$/);
  expect((await logIn(app, account)).status).toBe(200);
  expect(await hashOf(account.email)).toBe(before);
  expect((await logIn(dearer, { ...account, password: 'wrong' })).status).toBe(401);
  expect(await hashOf(account.email)).toBe(before);
  expect((await logIn(dearer, account)).status).toBe(200);
  const renewed = await hashOf(account.email);
  expect(renewed).toMatch(/^v2\$\$2b\$06\$/);
  expect((await logIn(app, account)).status).toBe(200);
  expect(await hashOf(account.email)).toBe(renewed);
});

test('simultaneous logins that all want to renew the hash all succeed', async () => {
  for (let round = 0; round < 5; round += 1) {
    const account = await register(app);
    await setHash(account.email, await legacyHash(goodPassword));
    const replies = await simultaneously(8, () => logIn(app, account));
    expect(statusesOf(replies)).toEqual(Array<number>(8).fill(200));
    expect((await logIn(app, account)).status).toBe(200);
  }
});

test('a login with the old password that overlaps a new one opens nothing and undoes nothing', async () => {
  for (const old of [undefined, await legacyHash(goodPassword)]) {
    const account = await register(app);
    const other = await register(app, { password: 'an entirely new password' });
    if (old !== undefined) await setHash(account.email, old);
    const newHash = await hashOf(other.email);

    const change = await openTransaction(app);
    await change.run('UPDATE users SET password_hash = $2 WHERE email = $1', [account.email, newHash]);
    const overlapping = logIn(app, account);
    await change.awaited();
    await change.commit();
    const reply = await overlapping;
    expect(reply.status).toBe(401);
    expect(await codeOf(reply)).toBe('invalid_credentials');
    expect(await hashOf(account.email)).toBe(newHash);
    const sessions = await tenantRows(
      app,
      'SELECT s.uuid FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1',
      [account.email],
    );
    expect(sessions).toHaveLength(1); // the one of the registration
    expect((await logIn(app, { ...account, password: 'an entirely new password' })).status).toBe(200);
  }
});

test('passwords longer than bcrypt reads differ in their last character too', async () => {
  const long = 'k#4Tq9!z'.repeat(15);
  const account = await register(app, { password: `${long}a` });
  expect((await logIn(app, { ...account, password: `${long}b` })).status).toBe(401);
  expect((await logIn(app, { ...account, password: long })).status).toBe(401);
  expect((await logIn(app, { ...account, password: `${long}a` })).status).toBe(200);
});

test('a hash without its pepper, or with another one, matches nothing', async () => {
  const account = await register(app);
  const hash = await hashOf(account.email);
  expect(await bcrypt.compare(goodPassword, hash.slice('v2$'.length))).toBe(false);
  const peppered = await anotherInstance(app, { PASSWORD_PEPPER: 'x1Y2z3'.repeat(8) });
  expect((await logIn(peppered, account)).status).toBe(401);
});

test('an account is found by its address in any case, with white space and any composition', async () => {
  const account = await register(app, { email: 'find.zoë@example.org' });
  for (const email of [' FIND.ZOË@EXAMPLE.ORG ', 'find.zoe\u0308@example.org']) {
    expect((await logIn(app, { ...account, email })).status).toBe(200);
  }
});

test('logins are in the event log: who got in, who did not, and why', async () => {
  const account = await register(app);
  const inactive = await register(app);
  await tenantRows(app, 'UPDATE users SET is_active = false WHERE email = $1', [inactive.email]);
  const tries = {
    'login-right': account,
    'login-wrong': { ...account, password: 'wrong' },
    'login-unknown': { email: freshEmail(), password: 'wrong' },
    'login-inactive': inactive,
  };
  for (const [id, { email, password }] of Object.entries(tries)) {
    await app.request('/api/auth/login', {
      json: { email, password },
      headers: { 'x-request-id': id, ...from('10.20.30.40') },
    });
  }
  const [user] = await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE email = $1', [
    account.email,
  ]);
  const known = { tenant_id: 1, actor_user_id: user?.id };
  expect(await authEvents(app, 'login-right')).toMatchObject([
    { action: 'authn_login_success', outcome: 'success', ...known },
  ]);
  expect(await authEvents(app, 'login-wrong')).toMatchObject([
    { action: 'authn_login_fail', outcome: 'denied', detail: { code: 'invalid_credentials' }, ...known },
  ]);
  expect(await authEvents(app, 'login-unknown')).toMatchObject([
    {
      action: 'authn_login_fail',
      outcome: 'denied',
      detail: { code: 'invalid_credentials' },
      tenant_id: null,
      actor_user_id: null,
    },
  ]);
  expect(await authEvents(app, 'login-inactive')).toMatchObject([
    { action: 'authn_login_fail', outcome: 'denied', detail: { code: 'account_inactive' } },
  ]);
});

// A hundred hashes at a real cost, after one another: on a busy machine a minute.
test(
  'with the queue of the hashing threads full a login is 503 busy, and no attempt is lost',
  { timeout: 180_000 },
  async () => {
    const dear = await anotherInstance(app, { BCRYPT_COST: '10', PG_POOL_MAX: '30' });
    const account = await register(dear);
    const address = freshAddress();
    // Each from a network of its own, so that nothing but the queue refuses them.
    // More than wait at a time, although some are through before the last arrive.
    const flood = simultaneously(120, () => logIn(dear, { email: freshEmail(), password: 'wrong' }));
    const own = await simultaneously(10, () => logIn(dear, account, address));
    const refused = (await flood).filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(await codeOf(refused[0] as Response)).toBe('busy');
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
    // Eight of a network are served at a time; the others may have waited too long for their turn.
    for (const { status } of own) expect([200, 429, 503]).toContain(status);
    const key = createThrottleKey(dear.env['PASSWORD_PEPPER'] as string);
    const { rows } = await app.db.query('SELECT attempts FROM throttle_counters WHERE key = $1', [
      key('password', 'pair', account.email, ipPrefix(address)),
    ]);
    // A counter at zero may be gone.
    expect(rows.filter(({ attempts }) => attempts !== 0)).toEqual([]);
    const afterwards = await logIn(dear, { email: freshEmail(), password: 'wrong' });
    expect(afterwards.status).toBe(401);
  },
);

test('an account that is switched off while its password is being compared gets no session', async () => {
  const account = await register(app);
  const client = await app.db.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('app.tenant', '1', true)`);
    await client.query('UPDATE users SET is_active = false WHERE email = $1', [account.email]);
    await client.query(
      `UPDATE sessions SET revoked_at = now(), revoked_reason = 'account_inactive'
       WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [account.email],
    );
    const login = logIn(app, account);
    // The password is right, and the login waits for the account's row.
    await expect
      .poll(async () => {
        const { rows } = await app.db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length;
      })
      .toBe(1);
    await client.query('COMMIT');
    const refused = await login;
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'account_inactive']);
  } finally {
    client.release();
  }
  const open = await tenantRows(
    app,
    `SELECT FROM sessions WHERE revoked_at IS NULL AND user_id = (SELECT id FROM users WHERE email = $1)`,
    [account.email],
  );
  expect(open).toEqual([]);
});
