import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  type Account,
  authEvents,
  claimsOf,
  codeOf,
  comparable,
  createTenant,
  logIn,
  me,
  openTransaction,
  refresh,
  register,
  simultaneously,
  statusesOf,
  stuckBackends,
  tenantRows,
  type Tokens,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2', PG_POOL_MAX: '12' } });

/** The same service with the rule for sequential uses alone, so that a test need not wait for the skew to pass. */
const strict = await anotherInstance(app, { REFRESH_RACE_SKEW_MS: '0' });
const lenient = await anotherInstance(app, { REFRESH_REPLAY_GRACE_SECONDS: '30' });

const tokensOf = async (reply: Response) => (await reply.json()) as Tokens;
const hashOf = (token: string) => createHash('sha256').update(token).digest();

async function sessionOf(account: Pick<Tokens, 'access_token'>) {
  const { sid } = claimsOf(account.access_token);
  const [session] = await tenantRows<{ revoked_at: Date | null; revoked_reason: string | null }>(
    app,
    'SELECT revoked_at, revoked_reason FROM sessions WHERE uuid = $1',
    [sid],
  );
  return session;
}

test('a refresh answers with a new pair of the contract and keeps the session', async () => {
  const account = await register(app, { role: 'physician' });
  const reply = await refresh(app, account.refresh_token);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  const next = await tokensOf(reply);
  expect(next).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.stringMatching(/^dgr_[A-Za-z0-9_-]{43}$/),
    token_type: 'bearer',
    expires_in: 1800,
  });
  expect(next.refresh_token).not.toBe(account.refresh_token);
  expect(claimsOf(next.access_token)).toMatchObject({
    sid: claimsOf(account.access_token).sid,
    sub: claimsOf(account.access_token).sub,
    role: 'physician',
    tenant_id: 1,
  });
  expect(claimsOf(next.access_token)['jti']).not.toBe(claimsOf(account.access_token)['jti']);
  expect((await me(app, next.access_token)).status).toBe(200);
  // The old access token lives out its half hour: it belongs to the same session.
  expect((await me(app, account.access_token)).status).toBe(200);
});

/** Two instances that no machine is too busy for: what arrives within ten seconds arrives together. */
const patient = await anotherInstance(app, { REFRESH_RACE_SKEW_MS: '10000' });
const second = await anotherInstance(app, { REFRESH_RACE_SKEW_MS: '10000' });

const oneOfTen = [200, ...Array<number>(9).fill(401)];
const winnerOf = (replies: Response[]) => tokensOf(replies.find(({ status }) => status === 200) as Response);

/** Starts requests of one session, each when those before wait for its row, and then lets them go in that order. */
async function inOrder(account: Tokens, requests: (() => Promise<Response>)[]): Promise<Response[]> {
  const lock = await openTransaction(app);
  await lock.run('SELECT FROM sessions WHERE uuid = $1 FOR UPDATE', [claimsOf(account.access_token).sid]);
  const replies: Promise<Response>[] = [];
  for (const request of requests) {
    replies.push(request());
    while ((await stuckBackends(app)).length < replies.length) await sleep(5);
  }
  await lock.rollback();
  return await Promise.all(replies);
}

test('of ten simultaneous refreshes exactly one succeeds and the winner stays logged in', async () => {
  let account: Tokens = await register(patient);
  for (let round = 0; round < 15; round += 1) {
    const presented = account.refresh_token;
    const replies = await simultaneously(10, () => refresh(patient, presented));
    expect(statusesOf(replies), `round ${round}`).toEqual(oneOfTen);
    account = await winnerOf(replies);
    expect((await me(patient, account.access_token)).status).toBe(200);
  }
  expect(await sessionOf(account)).toEqual({ revoked_at: null, revoked_reason: null });
  expect((await refresh(patient, account.refresh_token)).status).toBe(200);
});

test('ten simultaneous refreshes spread over two instances: exactly one succeeds, the winner lives', async () => {
  let account: Tokens = await register(app);
  for (let round = 0; round < 10; round += 1) {
    const presented = account.refresh_token;
    const replies = await simultaneously(10, (index) => refresh(index % 2 ? patient : second, presented));
    expect(statusesOf(replies), `round ${round}`).toEqual(oneOfTen);
    account = await winnerOf(replies);
    expect((await me(second, account.access_token)).status).toBe(200);
  }
});

test('without a skew there is still never more than one success, and only a noticed replay ends the session', async () => {
  for (let round = 0; round < 15; round += 1) {
    const { refresh_token: presented } = await register(strict);
    const replies = await simultaneously(10, () => refresh(strict, presented));
    expect(statusesOf(replies), `round ${round}`).toEqual(oneOfTen);
    const winner = await winnerOf(replies);
    // No timing rule can tell an instant replay from a late racer; the default of 250 ms keeps the winner.
    const { revoked_reason: reason } = (await sessionOf(winner)) ?? {};
    expect([null, 'reuse_detected']).toContain(reason);
    expect((await me(strict, winner.access_token)).status).toBe(reason === null ? 200 : 401);
  }
});

test('uses that overlap are a race and no replay, even without a skew: one wins and stays logged in', async () => {
  const account = await register(strict);
  const replies = await inOrder(
    account,
    Array.from({ length: 4 }, () => () => refresh(strict, account.refresh_token)),
  );
  expect(statusesOf(replies)).toEqual([200, 401, 401, 401]);
  const winner = await winnerOf(replies);
  expect((await me(strict, winner.access_token)).status).toBe(200);
  expect((await refresh(strict, winner.refresh_token)).status).toBe(200);
});

test('a use that arrived before a slow exchange was done is a race, however long that took', async () => {
  const narrow = await anotherInstance(app, { PG_POOL_MAX: '1' });
  const account = await register(narrow);
  const lock = await openTransaction(app);
  await lock.run('SELECT FROM sessions WHERE uuid = $1 FOR UPDATE', [claimsOf(account.access_token).sid]);
  const first = refresh(narrow, account.refresh_token);
  await lock.awaited();
  await sleep(400); // beyond REFRESH_RACE_SKEW_MS
  // The only connection is in use: this one asks the database after the exchange.
  const second = refresh(narrow, account.refresh_token);
  await sleep(100);
  await lock.rollback();
  const [winner, loser] = [await first, await second];
  expect([winner.status, loser.status]).toEqual([200, 401]);
  const next = await tokensOf(winner);
  expect(await sessionOf(account)).toEqual({ revoked_at: null, revoked_reason: null });
  expect((await me(narrow, next.access_token)).status).toBe(200);
  expect((await refresh(narrow, next.refresh_token)).status).toBe(200);
});

test('a replay after the skew is 401 and ends the whole family, its newest member too', async () => {
  const account = await register(app);
  const next = await tokensOf(await refresh(app, account.refresh_token));
  const newest = await tokensOf(await refresh(app, next.refresh_token));
  await sleep(300);
  const replay = await app.request('/api/auth/refresh', {
    json: { refresh_token: account.refresh_token },
    headers: { 'x-request-id': 'replayed-after-the-skew' },
  });
  expect(replay.status).toBe(401);
  expect(await codeOf(replay)).toBe('refresh_token_invalid');
  expect(await sessionOf(account)).toEqual({
    revoked_at: expect.any(Date),
    revoked_reason: 'reuse_detected',
  });
  expect((await refresh(app, newest.refresh_token)).status).toBe(401);
  expect((await me(app, newest.access_token)).status).toBe(401);
  expect((await me(app, account.access_token)).status).toBe(401);
  const events = await authEvents(app, 'replayed-after-the-skew');
  expect(events.map(({ action, outcome }) => ({ action, outcome }))).toEqual([
    { action: 'authn_token_reuse', outcome: 'denied' },
    { action: 'session_renewal_fail', outcome: 'denied' },
  ]);
});

test('a replay does not touch the other sessions of the account', async () => {
  const account = await register(strict);
  const elsewhere = await tokensOf(await logIn(strict, account));
  await refresh(strict, account.refresh_token);
  await sleep(5);
  expect((await refresh(strict, account.refresh_token)).status).toBe(401);
  expect((await me(strict, account.access_token)).status).toBe(401);
  expect((await me(strict, elsewhere.access_token)).status).toBe(200);
  expect((await refresh(strict, elsewhere.refresh_token)).status).toBe(200);
});

test('ten simultaneous replays end the family once and leave one successor dead', async () => {
  const account = await register(strict);
  const next = await tokensOf(await refresh(strict, account.refresh_token));
  await sleep(5);
  const replies = await simultaneously(10, () => refresh(strict, account.refresh_token));
  expect(statusesOf(replies)).toEqual(Array<number>(10).fill(401));
  expect((await refresh(strict, next.refresh_token)).status).toBe(401);
});

test('a replay within the skew is 401 and the family lives', async () => {
  const account = await register(patient);
  const next = await tokensOf(await refresh(patient, account.refresh_token));
  expect((await refresh(patient, account.refresh_token)).status).toBe(401);
  expect((await me(patient, next.access_token)).status).toBe(200);
  expect((await refresh(patient, next.refresh_token)).status).toBe(200);
});

test('within the grace a replay gets the same successor, byte for byte, and a fresh access token', async () => {
  const account = await register(lenient);
  const first = await tokensOf(await refresh(lenient, account.refresh_token));
  const replies = await simultaneously(5, () => refresh(lenient, account.refresh_token));
  expect(statusesOf(replies)).toEqual([200, 200, 200, 200, 200]);
  for (const reply of replies) {
    const again = await tokensOf(reply);
    expect(again.refresh_token).toBe(first.refresh_token);
    expect(again.access_token).not.toBe(first.access_token);
    expect((await me(lenient, again.access_token)).status).toBe(200);
  }
  const rows = await tenantRows(app, 'SELECT id FROM refresh_tokens WHERE session_uuid = $1', [
    claimsOf(account.access_token).sid,
  ]);
  expect(rows).toHaveLength(2);
});

test('with a grace, ten simultaneous refreshes all get the one successor', async () => {
  let account: Tokens = await register(lenient);
  for (let round = 0; round < 8; round += 1) {
    const presented = account.refresh_token;
    const replies = await simultaneously(10, () => refresh(lenient, presented));
    expect(statusesOf(replies), `round ${round}`).toEqual(Array<number>(10).fill(200));
    const pairs = await Promise.all(replies.map(tokensOf));
    expect(new Set(pairs.map((pair) => pair.refresh_token)).size).toBe(1);
    account = pairs[0] as Tokens;
  }
});

test('a replay within the grace leaves its mark in the event log', async () => {
  const account = await register(lenient);
  await refresh(lenient, account.refresh_token);
  await lenient.request('/api/auth/refresh', {
    json: { refresh_token: account.refresh_token },
    headers: { 'x-request-id': 'replayed-within-the-grace' },
  });
  expect(await authEvents(app, 'replayed-within-the-grace')).toMatchObject([
    { action: 'session_renewed', outcome: 'success', detail: { replayed: true } },
  ]);
});

test('within the grace, once the successor was used, a replay ends the family', async () => {
  const account = await register(lenient);
  const next = await tokensOf(await refresh(lenient, account.refresh_token));
  const newest = await tokensOf(await refresh(lenient, next.refresh_token));
  expect((await refresh(lenient, account.refresh_token)).status).toBe(401);
  expect(await sessionOf(account)).toMatchObject({ revoked_reason: 'reuse_detected' });
  expect((await refresh(lenient, newest.refresh_token)).status).toBe(401);
  expect((await me(lenient, newest.access_token)).status).toBe(401);
});

test('after the grace a replay ends the family', async () => {
  const account = await register(lenient);
  const next = await tokensOf(await refresh(lenient, account.refresh_token));
  await tenantRows(
    app,
    `UPDATE refresh_tokens SET rotated_at = rotated_at - interval '31 seconds' WHERE token_hash = $1`,
    [hashOf(account.refresh_token)],
  );
  expect((await refresh(lenient, account.refresh_token)).status).toBe(401);
  expect((await refresh(lenient, next.refresh_token)).status).toBe(401);
});

test('the database holds no token that it could give away, not even the successor of a replay', async () => {
  const account = await register(lenient);
  const next = await tokensOf(await refresh(lenient, account.refresh_token));
  const rows = await tenantRows<{ row: string }>(
    app,
    `SELECT r::text || encode(token_hash, 'escape') || coalesce(encode(sealed_successor, 'escape'), '') AS row
     FROM refresh_tokens r`,
  );
  for (const { row } of rows) {
    expect(row).not.toContain(account.refresh_token.slice(4));
    expect(row).not.toContain(next.refresh_token.slice(4));
  }
});

/** After a logout neither the tokens of the session nor those that a refresh at the same moment has made. */
async function expectEnded(account: Tokens, renewed: Response): Promise<void> {
  expect((await me(app, account.access_token)).status).toBe(401);
  if (renewed.status !== 200) return;
  const next = await tokensOf(renewed);
  expect((await me(app, next.access_token)).status).toBe(401);
  expect((await refresh(app, next.refresh_token)).status).toBe(401);
}

const logOut = ({ refresh_token }: Tokens) => app.request('/api/auth/logout', { json: { refresh_token } });

test('a logout after a refresh that it waited for leaves no session', async () => {
  const account = await register(app);
  const [renewed, ended] = (await inOrder(account, [
    () => refresh(app, account.refresh_token),
    () => logOut(account),
  ])) as [Response, Response];
  expect([renewed.status, ended.status]).toEqual([200, 204]);
  await expectEnded(account, renewed);
});

test('a refresh after a logout that it waited for is refused', async () => {
  const account = await register(app);
  const [ended, renewed] = (await inOrder(account, [
    () => logOut(account),
    () => refresh(app, account.refresh_token),
  ])) as [Response, Response];
  expect([ended.status, renewed.status]).toEqual([204, 401]);
  await expectEnded(account, renewed);
});

test('logout against refresh, in either order, leaves no session', async () => {
  for (let round = 0; round < 12; round += 1) {
    const account = await register(app);
    const first = round % 2 ? logOut(account) : undefined;
    const renewing = refresh(app, account.refresh_token);
    const [ended, renewed] = await Promise.all([first ?? logOut(account), renewing]);
    expect(ended.status).toBe(204);
    expect([200, 401]).toContain(renewed.status);
    await expectEnded(account, renewed);
  }
});

test('logout-all against refreshes of three sessions leaves no session', async () => {
  for (let round = 0; round < 10; round += 1) {
    const account = await register(app);
    const others = await Promise.all(
      [logIn(app, account), logIn(app, account)].map(async (r) => tokensOf(await r)),
    );
    const logOutAll = app.request('/api/auth/logout-all', { method: 'POST', token: account.access_token });
    const renewals = await Promise.all(
      [account, ...others].map((tokens) => refresh(app, tokens.refresh_token)),
    );
    expect((await logOutAll).status).toBe(204);
    for (const renewal of renewals) {
      expect([200, 401]).toContain(renewal.status);
      if (renewal.status !== 200) continue;
      const next = await tokensOf(renewal);
      expect((await me(app, next.access_token)).status).toBe(401);
      expect((await refresh(app, next.refresh_token)).status).toBe(401);
    }
  }
});

test('a change of password against refreshes ends the other session and keeps its own', async () => {
  for (let round = 0; round < 10; round += 1) {
    const account = await register(app);
    const other = await tokensOf(await logIn(app, account));
    const change = app.request('/api/auth/change-password', {
      token: account.access_token,
      json: { current_password: account.password, new_password: `another horse battery ${round}` },
    });
    let own: Account | Tokens = account;
    let foreign = other;
    const changing = { done: false };
    void change.then(() => (changing.done = true));
    do {
      const [mine, theirs] = await Promise.all([
        refresh(app, own.refresh_token),
        refresh(app, foreign.refresh_token),
      ]);
      expect(mine.status, `round ${round}: ${await mine.clone().text()}`).toBe(200);
      own = await tokensOf(mine);
      expect([200, 401], await theirs.clone().text()).toContain(theirs.status);
      if (theirs.status === 200) foreign = await tokensOf(theirs);
    } while (!changing.done);
    expect((await change).status).toBe(200);
    expect((await me(app, own.access_token)).status).toBe(200);
    expect((await refresh(app, own.refresh_token)).status).toBe(200);
    expect((await me(app, foreign.access_token)).status).toBe(401);
    expect((await refresh(app, foreign.refresh_token)).status).toBe(401);
  }
});

test('every refused refresh token gets the same 401, for every reason', async () => {
  const account = await register(app);
  const expired = await register(app);
  await tenantRows(
    app,
    `UPDATE refresh_tokens SET expires_at = now() - interval '1 s' WHERE token_hash = $1`,
    [hashOf(expired.refresh_token)],
  );
  const outlived = await register(app);
  await tenantRows(app, `UPDATE sessions SET absolute_expires_at = now() - interval '1 s' WHERE uuid = $1`, [
    claimsOf(outlived.access_token).sid,
  ]);
  const ended = await register(app);
  await app.request('/api/auth/logout', { json: { refresh_token: ended.refresh_token } });
  const reused = await register(strict);
  await refresh(strict, reused.refresh_token);
  await sleep(5);
  const body = account.refresh_token.slice(4);
  const refused = {
    unknown: `dgr_${'A'.repeat(43)}`,
    expired: expired.refresh_token,
    'of a session past its absolute end': outlived.refresh_token,
    ended: ended.refresh_token,
    reused: reused.refresh_token,
    empty: '',
    malformed: 'not a token',
    'an access token': account.access_token,
    'a reset token': `dgp_${body}`,
    'an invitation token': `dgi_${body}`,
    'without prefix': body,
    'one character short': account.refresh_token.slice(0, -1),
    'one character long': `${account.refresh_token}A`,
    'in capitals': account.refresh_token.toUpperCase(),
    'with white space': ` ${account.refresh_token} `,
    'with a line break': `${account.refresh_token}\n`,
    'in other letters': account.refresh_token.replace('dgr_', 'ｄｇｒ_'),
    'very long': 'dgr_'.padEnd(2000, 'A'),
    SQL: `dgr_' OR '1'='1`,
  };
  const replies = new Set<string>();
  for (const [name, token] of Object.entries(refused)) {
    const reply = await refresh(name === 'reused' ? strict : app, token);
    expect(reply.status, name).toBe(401);
    replies.add(await comparable(reply));
  }
  expect([...replies]).toEqual([expect.stringContaining('"code":"refresh_token_invalid"')]);
  // And it was still good all the time.
  expect((await refresh(app, account.refresh_token)).status).toBe(200);
});

test('a body without a refresh token is 400 and names the field', async () => {
  for (const json of [{}, { refresh_token: null }, { refresh_token: 7 }, { refresh_token: ['x'] }, []]) {
    const reply = await app.request('/api/auth/refresh', { json });
    expect(reply.status, JSON.stringify(json)).toBe(400);
    expect(await codeOf(reply)).toBe('validation_error');
  }
});

test('a fault in the middle of a rotation leaves the old token usable', async () => {
  const account = await register(app);
  await app.db.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk on fire'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON refresh_tokens FOR EACH ROW EXECUTE FUNCTION fail()`);
  const faulty = await refresh(app, account.refresh_token);
  await app.db.query('DROP TRIGGER fail ON refresh_tokens');
  expect(faulty.status).toBe(500);
  expect(await faulty.text()).not.toContain('disk on fire');
  expect((await refresh(app, account.refresh_token)).status).toBe(200);
});

test('a fault when the rotation is written to the event log leaves the old token usable', async () => {
  const account = await register(app);
  await app.db.query(`
    CREATE FUNCTION fail_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
    CREATE TRIGGER fail_event BEFORE INSERT ON event_logs FOR EACH ROW EXECUTE FUNCTION fail_event()`);
  const faulty = await refresh(app, account.refresh_token);
  await app.db.query('DROP TRIGGER fail_event ON event_logs');
  expect(faulty.status).toBe(500);
  expect((await refresh(app, account.refresh_token)).status).toBe(200);
});

test('a connection lost in the middle of a rotation is 503 and leaves the old token usable', async () => {
  const account = await register(app);
  await app.db.query(`
    CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(8); RETURN NEW; END $$;
    CREATE TRIGGER dawdle AFTER INSERT ON refresh_tokens FOR EACH ROW EXECUTE FUNCTION dawdle()`);
  const interrupted = refresh(app, account.refresh_token);
  let pids: number[] = [];
  while (pids.length === 0) pids = await stuckBackends(app);
  await app.db.query('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [pids]);
  expect((await interrupted).status).toBe(503);
  await app.db.query('DROP TRIGGER dawdle ON refresh_tokens');
  expect((await refresh(app, account.refresh_token)).status).toBe(200);
});

test('who must wait too long for a lock gets 503, never 401, and may try again', async () => {
  const account = await register(app);
  const lock = await openTransaction(app);
  await lock.run('SELECT FROM sessions WHERE uuid = $1 FOR UPDATE', [claimsOf(account.access_token).sid]);
  const reply = await refresh(app, account.refresh_token);
  await lock.rollback();
  expect(reply.status).toBe(503);
  expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await codeOf(reply)).toBe('unavailable');
  expect((await refresh(app, account.refresh_token)).status).toBe(200);
});

test('the refresh token of an inactive user is 401 and its session has ended', async () => {
  const account = await register(app);
  const { sub } = claimsOf(account.access_token);
  await tenantRows(app, 'UPDATE users SET is_active = false WHERE uuid = $1', [sub]);
  expect((await refresh(app, account.refresh_token)).status).toBe(401);
  expect(await sessionOf(account)).toMatchObject({ revoked_reason: 'account_inactive' });
  await tenantRows(app, 'UPDATE users SET is_active = true WHERE uuid = $1', [sub]);
  expect((await refresh(app, account.refresh_token)).status).toBe(401);
});

test('while a tenant is off its refresh tokens are 401; when it is on again all sessions still live', async () => {
  const tenantId = await createTenant(app, 'refresh-off');
  const account = await register(app, { tenant: 'refresh-off' });
  await app.db.query('UPDATE tenants SET is_active = false WHERE id = $1', [tenantId]);
  const refused = await refresh(app, account.refresh_token);
  await app.db.query('UPDATE tenants SET is_active = true WHERE id = $1', [tenantId]);
  expect(refused.status).toBe(401);
  expect(await codeOf(refused)).toBe('refresh_token_invalid');
  expect((await refresh(app, account.refresh_token)).status).toBe(200);
});

test('a refresh token lives thirty days from its own making, and the session a year', async () => {
  const account = await register(app);
  const next = await tokensOf(await refresh(app, account.refresh_token));
  const rows = await tenantRows<{ lifetime: string; age: string }>(
    app,
    `SELECT (r.expires_at - r.created_at)::text AS lifetime, (s.absolute_expires_at - s.created_at)::text AS age
     FROM refresh_tokens r JOIN sessions s ON s.uuid = r.session_uuid WHERE r.token_hash = ANY ($1)`,
    [[hashOf(account.refresh_token), hashOf(next.refresh_token)]],
  );
  expect(rows).toEqual([
    { lifetime: '30 days', age: '365 days' },
    { lifetime: '30 days', age: '365 days' },
  ]);
});
