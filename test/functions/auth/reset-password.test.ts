import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type Account,
  authEvents,
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
  resetTokenFor,
  simultaneously,
  statusesOf,
  tenantRows,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { mailServer } from '../../support/mail-server.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2', PG_POOL_MAX: '12' } });
const server = await mailServer();
/** The service as it runs in the cloud, with a mail server. */
const cloud = await testApp({
  env: {
    TRUSTED_PROXY_HOPS: '2',
    ...server.settings,
    PORTAL_URL: 'https://portal.example/app/',
    AZURE_FUNCTIONS_ENVIRONMENT: 'Production',
    BCRYPT_COST: '10',
    SELF_REGISTRATION_ROLES: 'patient',
  },
});

const newPassword = 'a brand new password';

const ask = (email: unknown, at: Pick<typeof app, 'request'> = app, headers: Record<string, string> = {}) =>
  at.request('/api/auth/request-reset', { json: { email }, headers });

const reset = (
  token: unknown,
  password: unknown = newPassword,
  id = 'any',
  at: Pick<typeof app, 'request'> = app,
) =>
  at.request('/api/auth/reset-password', {
    json: { token, new_password: password },
    headers: { 'x-request-id': id, ...from(freshAddress()) },
  });

async function mailedToken(account: Pick<Account, 'email'>): Promise<string> {
  const before = server.mails.length;
  await ask(account.email, cloud);
  const mail = (await server.arrived(before + 1)).at(-1);
  expect(mail?.recipients).toEqual([account.email]);
  return /#token=(dgp_[\w-]{43})/.exec(mail?.text ?? '')?.[1] as string;
}

test('a forgotten password is replaced by a token, and every session of the account ends', async () => {
  const account = await register(app);
  const second = (await (await logIn(app, account)).json()) as Account;
  const token = await resetTokenFor(app, account.email);
  const reply = await reset(token, newPassword, 'reset-1');
  expect(reply.status).toBe(200);
  expect(await reply.json()).toEqual({ message: expect.any(String) });
  for (const tokens of [account, second]) {
    expect((await me(app, tokens.access_token)).status).toBe(401);
    expect((await refresh(app, tokens.refresh_token)).status).toBe(401);
  }
  expect((await logIn(app, account)).status).toBe(401);
  expect((await logIn(app, { ...account, password: newPassword })).status).toBe(200);
  expect(await authEvents(app, 'reset-1')).toMatchObject([
    {
      action: 'authn_password_change',
      outcome: 'success',
      detail: { by: 'reset', sessions: 2 },
      tenant_id: 1,
    },
  ]);
});

test('one request is one mail with one link to the portal, and its token works', async () => {
  const account = await register(cloud);
  const before = server.mails.length;
  const token = await mailedToken(account);
  expect(server.mails.length).toBe(before + 1);
  const { text } = server.mails.at(-1) as { text: string };
  expect(text.match(/https?:\/\/\S+/g)).toEqual([`https://portal.example/app/reset-password#token=${token}`]);
  expect((await reset(token, newPassword, 'any', cloud)).status).toBe(200);
  // And the owner hears of it.
  const told = (await server.arrived(before + 2)).at(-1);
  expect(told?.recipients).toEqual([account.email]);
  expect(told?.text).not.toContain('dgp_');
});

test('the link points at the portal regardless of Host, Forwarded and Origin', async () => {
  const account = await register(cloud);
  const before = server.mails.length;
  await ask(account.email, cloud, {
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
    origin: 'https://evil.example',
    referer: 'https://evil.example/',
    'x-original-host': 'evil.example',
  });
  const mail = (await server.arrived(before + 1)).at(-1);
  expect(mail?.raw).not.toContain('evil');
  expect(mail?.text).toContain('https://portal.example/app/reset-password#token=');
});

test('in development the token is in the log, in production it is in the mail and nowhere else', async () => {
  const token = await resetTokenFor(app, (await register(app)).email);
  expect(app.output.join('\n')).toContain(token);
  const mailed = await mailedToken(await register(cloud));
  expect(cloud.output.join('\n')).not.toContain(mailed);
  expect(cloud.output.join('\n')).not.toMatch(/dgp_/);
});

test('no token and no address rest in the database in clear', async () => {
  const account = await register(cloud);
  await server.behave({ kind: 'refuses_connections' });
  await ask(account.email, cloud);
  const waiting = async () =>
    (
      await cloud.db.query<{ row: string }>(
        `SELECT m::text AS row FROM outbox_messages m WHERE topic = 'password_reset' AND last_error_code = 'ESOCKET'`,
      )
    ).rows;
  // Not before its first try is over, which would be noted after what follows here.
  await expect.poll(waiting).toHaveLength(1);
  const seen = (await waiting()).map(({ row }) => row).join('\n');
  const before = server.mails.length;
  await server.behave({ kind: 'accepts' });
  await cloud.db.query('UPDATE outbox_messages SET available_at = now(), locked_until = NULL');
  await cloud.runTimer('drainOutbox');
  const mail = (await server.arrived(before + 1)).at(-1);
  const token = /dgp_[\w-]{43}/.exec(mail?.text ?? '')?.[0] as string;
  expect(seen).not.toContain(token);
  expect(seen).not.toContain(account.email);
  const [stored] = await tenantRows<{ token_hash: Buffer }>(
    cloud,
    'SELECT token_hash FROM password_reset_tokens ORDER BY id DESC LIMIT 1',
  );
  expect(stored?.token_hash).toEqual(createHash('sha256').update(token).digest());
});

test('a token works once', async () => {
  const account = await register(app);
  const token = await resetTokenFor(app, account.email);
  expect((await reset(token)).status).toBe(200);
  expect(await codeOf(await reset(token, 'and another password'))).toBe('reset_token_invalid');
  expect((await logIn(app, { ...account, password: newPassword })).status).toBe(200);
});

test('of two simultaneous resets with one token one wins, and its password counts', async () => {
  for (let round = 0; round < 10; round += 1) {
    const account = await register(app);
    const token = await resetTokenFor(app, account.email);
    const replies = await simultaneously(2, (index) => reset(token, `${newPassword} ${index}`));
    expect(statusesOf(replies)).toEqual([200, 400]);
    const winner = replies.findIndex(({ status }) => status === 200);
    expect((await logIn(app, { ...account, password: `${newPassword} ${winner}` })).status).toBe(200);
    expect((await logIn(app, { ...account, password: `${newPassword} ${1 - winner}` })).status).toBe(401);
  }
});

test('only the newest token works', async () => {
  const account = await register(app);
  const first = await resetTokenFor(app, account.email);
  const second = await resetTokenFor(app, account.email);
  expect((await reset(first)).status).toBe(400);
  expect((await reset(second)).status).toBe(200);
});

test('a reset that meets the making of a newer token waits for it and is refused, without a deadlock', async () => {
  const account = await register(app);
  const token = await resetTokenFor(app, account.email);
  // As the outbox does it: the account's row first, then its tokens.
  const making = await openTransaction(app);
  await making.run('SELECT FROM users WHERE email = $1 FOR NO KEY UPDATE', [account.email]);
  const overlapping = reset(token);
  await making.awaited();
  await making.run('UPDATE password_reset_tokens SET used = true WHERE NOT used');
  await making.commit();
  expect(await codeOf(await overlapping)).toBe('reset_token_invalid');
  expect((await logIn(app, account)).status).toBe(200);
});

test('a password that is refused costs no token', async () => {
  const account = await register(app);
  const token = await resetTokenFor(app, account.email);
  for (const [password, code] of [
    ['short', 'password_too_short'],
    ['x'.repeat(129), 'password_too_long'],
    ['iloveyou', 'password_too_common'],
    [`${account.email.split('@')[0]}!`, 'password_too_common'],
    [null, 'invalid_type'],
  ] as const) {
    const reply = await reset(token, password);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({
      code: 'validation_error',
      errors: [{ pointer: '/new_password', code }],
    });
  }
  expect((await reset(token)).status).toBe(200);
});

test('an expired, used, superseded, unknown and malformed token are refused with the same bytes', async () => {
  const expired = await register(app);
  const expiredToken = await resetTokenFor(app, expired.email);
  await tenantRows(
    app,
    `UPDATE password_reset_tokens SET expires_at = now() - interval '1 s' WHERE token_hash = $1`,
    [createHash('sha256').update(expiredToken).digest()],
  );
  const used = await register(app);
  const usedToken = await resetTokenFor(app, used.email);
  await reset(usedToken);
  const superseding = await register(app);
  const superseded = await resetTokenFor(app, superseding.email);
  const good = await resetTokenFor(app, superseding.email);
  const inactive = await register(app);
  const inactiveToken = await resetTokenFor(app, inactive.email);
  await tenantRows(app, 'UPDATE users SET is_active = false WHERE email = $1', [inactive.email]);
  const off = await createTenant(app, 'reset-off');
  const shutOut = await register(app, { tenant: 'reset-off' });
  const [, shutOutToken] = [
    await ask(shutOut.email),
    await (async () => {
      const line = () => app.output.findLast((text) => text.includes('password_reset_token'));
      const before = line();
      await app.runTimer('drainOutbox');
      while (line() === before) await new Promise((resolve) => setTimeout(resolve, 20));
      return /dgp_[\w-]{43}/.exec(line() as string)?.[0] as string;
    })(),
  ];
  await app.db.query('UPDATE tenants SET is_active = false WHERE id = $1', [off]);
  const replies = new Set<string>();
  for (const token of [
    expiredToken,
    usedToken,
    superseded,
    inactiveToken,
    shutOutToken,
    `dgp_${'A'.repeat(43)}`,
    good.replace('dgp_', 'dgr_'),
    good.replace('dgp_', 'dgi_'),
    good.slice(4),
    ` ${good}`,
    superseding.refresh_token,
    superseding.access_token,
    '',
    'x'.repeat(5000),
  ]) {
    replies.add(await comparable(await reset(token)));
  }
  expect([...replies]).toEqual([expect.stringMatching(/^400\n[^]*"code":"reset_token_invalid"/)]);
  expect((await reset(good)).status).toBe(200);
});

test('a token lives twenty-four hours', async () => {
  const account = await register(app);
  await resetTokenFor(app, account.email);
  const rows = await tenantRows(
    app,
    'SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM password_reset_tokens ORDER BY id DESC LIMIT 1',
  );
  expect(rows).toEqual([{ seconds: 86_400 }]);
});

test('three mails an hour go to an address; the fourth request answers the same and sends nothing', async () => {
  const account = await register(cloud);
  const before = server.mails.length;
  const answers = new Set<string>();
  for (let request = 0; request < 5; request += 1) {
    answers.add(await comparable(await ask(account.email.toUpperCase(), cloud)));
  }
  expect([...answers]).toHaveLength(1);
  const { rows } = await cloud.db.query(
    `SELECT attempts FROM throttle_counters WHERE window_ends_at > now() + interval '50 minutes'
       AND window_ends_at < now() + interval '2 hours'`,
  );
  expect(rows).toContainEqual({ attempts: 3 });
  // Each mail that was asked for is delivered; the newest token supersedes the others, so at most three.
  await expect.poll(() => server.mails.length - before).toBeGreaterThan(0);
  await cloud.runTimer('drainOutbox');
  const waiting = async () =>
    (await cloud.db.query(`SELECT FROM outbox_messages WHERE topic = 'password_reset'`)).rowCount;
  await expect.poll(waiting).toBe(0);
  expect(server.mails.length - before).toBeLessThanOrEqual(3);
});

test('an unknown address gets no mail, an inactive account neither', async () => {
  const inactive = await register(cloud);
  await tenantRows(cloud, 'UPDATE users SET is_active = false WHERE email = $1', [inactive.email]);
  const before = server.mails.length;
  await ask(freshEmail('nobody'), cloud);
  await ask(inactive.email, cloud);
  // A request after them whose mail is waited for.
  await mailedToken(await register(cloud));
  expect(server.mails.length).toBe(before + 1);
});

test('what a mail server does changes neither the answer nor when it comes', async () => {
  const behaviours = ['accepts', 'refuses_connections', 'hangs'] as const;
  const accounts = await Promise.all(behaviours.map(() => register(cloud)));
  const waiting = async () => (await cloud.db.query('SELECT FROM outbox_messages')).rowCount;
  await expect.poll(waiting).toBe(0);
  /** Messages that could not be delivered, each as often as it was tried. */
  const undelivered = () =>
    cloud.output.flatMap((line) => /"outbox_delivery_failed","message":(\d+)/.exec(line)?.[1] ?? []);
  const answers = new Set<string>();
  for (const [n, kind] of behaviours.entries()) {
    await server.behave({ kind });
    const before = undelivered();
    answers.add(await comparable(await ask(accounts[n]?.email, cloud)));
    // A server that hangs is given five seconds: a reply that waited for it would come after that line. The message before
    // may fail once more at any time.
    if (kind === 'hangs') expect(before).toEqual(expect.arrayContaining(undelivered()));
    if (kind === 'accepts') await expect.poll(waiting).toBe(0);
    if (kind === 'refuses_connections') await expect.poll(undelivered).not.toEqual(before);
  }
  await server.behave({ kind: 'accepts' });
  expect([...answers]).toHaveLength(1);
});

test('what is no address is 400, before anything else is said', async () => {
  for (const email of ['', 'x', null, 7, ['a@example.org'], 'a\u200bb@example.org']) {
    const reply = await ask(email);
    expect(reply.status).toBe(400);
    expect(await codeOf(reply)).toBe('validation_error');
  }
});

test('a refused reset is in the event log, and so is a request, for known and unknown addresses', async () => {
  const account = await register(app);
  const token = await resetTokenFor(app, account.email);
  await reset(`dgp_${'B'.repeat(43)}`, newPassword, 'reset-unknown');
  expect(await authEvents(app, 'reset-unknown')).toMatchObject([
    {
      action: 'authn_password_change_fail',
      outcome: 'failure',
      detail: { code: 'reset_token_invalid' },
      tenant_id: null,
    },
  ]);
  await reset(token);
  for (const [id, email, outcome] of [
    ['request-known', account.email, 'success'],
    ['request-unknown', freshEmail('nobody'), 'failure'],
  ] as const) {
    await ask(email, app, { 'x-request-id': id });
    while ((await authEvents(app, id)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await authEvents(app, id)).toMatchObject([{ action: 'authn_password_reset_requested', outcome }]);
  }
});

test('without a mail server production answers the same and writes no token anywhere', async () => {
  const silent = await anotherInstance(cloud, { MAIL_URL: undefined, MAIL_FROM: undefined });
  const account = await register(cloud);
  await cloud.stop();
  await cloud.db.query('TRUNCATE outbox_messages');
  const reply = await ask(account.email, silent);
  expect(reply.status).toBe(200);
  while (!silent.output.some((line) => line.includes('mail_not_configured'))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(silent.output.join('\n')).not.toMatch(/dgp_/);
  const session = (await (await logIn(silent, { ...account, password: goodPassword })).json()) as Account;
  const changed = await silent.request('/api/auth/change-password', {
    json: { current_password: goodPassword, new_password: newPassword },
    token: session.access_token,
  });
  expect(changed.status).toBe(200);
  // No instance would ever take a mail out.
  expect((await cloud.db.query('SELECT topic FROM outbox_messages')).rows).toEqual([]);
  expect((await logIn(silent, { ...account, password: newPassword })).status).toBe(200);
});
