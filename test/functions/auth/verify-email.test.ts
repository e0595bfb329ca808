import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
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
  simultaneously,
  statusesOf,
  tenantRows,
  type Tokens,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { anamnesis, anamnesisPart, imagePart, upload } from '../../support/diagnosis.ts';
import { skinPhoto } from '../../support/images.ts';
import { mailServer } from '../../support/mail-server.ts';
import { storeImages } from '../../support/stored-images.ts';

// Proving an email address, and what rests on it: invitations take an address back that was never proved.

const server = await mailServer({ verifications: true });
const app = await testApp({
  env: {
    TRUSTED_PROXY_HOPS: '2',
    ...server.settings,
    PORTAL_URL: 'https://portal.example',
    AZURE_FUNCTIONS_ENVIRONMENT: 'Production',
    SELF_REGISTRATION_ROLES: 'patient,admin',
    ALLOW_ADMIN_SELF_REGISTRATION: 'true',
    BCRYPT_COST: '10',
  },
});
const clinic = await createTenant(app, 'clinic');
const admin = await register(app, { role: 'admin', tenant: 'clinic' });

/** The newest mail to an address whose text has `what`, once there are `count` of them. */
async function mailTo(email: string, what: RegExp, count = 1): Promise<string> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const texts = server.mails.filter(({ recipients }) => recipients.includes(email)).map(({ text }) => text);
    const found = texts.filter((text) => what.test(text));
    if (found.length >= count) return what.exec(found.at(-1) ?? '')?.[0] ?? '';
    if (Date.now() > deadline) throw new Error(`no such mail to ${email}: ${texts.join('\n')}`);
    await sleep(20);
  }
}

/** Delivered now, for tests that are about what comes after: by itself the app waits for up to a second. */
async function tokenFor(email: string, what: RegExp, count?: number): Promise<string> {
  await app.runTimer('drainOutbox');
  return await mailTo(email, what, count);
}
const verificationFor = (email: string, count?: number) => tokenFor(email, /dgv_[\w-]{43}/, count);
const invitationFor = (email: string, count?: number) => tokenFor(email, /dgi_[\w-]{43}/, count);

const verify = (token: string, id = 'any', at: Pick<typeof app, 'request'> = app) =>
  at.request('/api/auth/verify-email', {
    json: { token },
    headers: { 'x-request-id': id, ...from(freshAddress()) },
  });

const resend = (email: string, id = 'any', address = freshAddress()) =>
  app.request('/api/auth/verify-email/resend', {
    json: { email },
    headers: { 'x-request-id': id, ...from(address) },
  });

async function isVerified(accessToken: string, at: Pick<typeof app, 'request'> = app): Promise<boolean> {
  const { user } = (await (await me(at, accessToken)).json()) as { user: { is_verified: boolean } };
  return user.is_verified;
}

const redeem = (token: string) =>
  app.request('/api/auth/register', {
    json: { invitation_token: token, password: `${goodPassword} too` },
    headers: from(freshAddress()),
  });

async function invite(email: string): Promise<Response> {
  return await app.request('/api/auth/invitations', {
    json: { email, role: 'patient' },
    token: admin.access_token,
  });
}

test('a registration is mailed a link; its token verifies the address, once', async () => {
  const account = await register(app);
  expect(await isVerified(account.access_token)).toBe(false);
  const link = await mailTo(account.email, /https:\/\/portal\.example\/verify-email#token=dgv_[\w-]{43}/);
  const token = /dgv_.*/.exec(link)?.[0] ?? '';
  const reply = await verify(token, 'verify-1');
  expect(reply.status).toBe(200);
  expect(await reply.json()).toEqual({ message: expect.any(String) });
  expect(await isVerified(account.access_token)).toBe(true);
  expect(await authEvents(app, 'verify-1')).toMatchObject([
    { action: 'email_verified', outcome: 'success', tenant_id: 1, actor_user_id: expect.any(Number) },
  ]);
  const again = await verify(token, 'verify-2');
  expect([again.status, await codeOf(again)]).toEqual([400, 'verification_invalid']);
  expect(await authEvents(app, 'verify-2')).toMatchObject([
    { action: 'email_verification_fail', outcome: 'failure' },
  ]);
});

test('of ten simultaneous uses of a token one succeeds', async () => {
  const { email } = await register(app);
  const token = await verificationFor(email);
  expect(statusesOf(await simultaneously(10, () => verify(token)))).toEqual([
    200,
    ...Array<number>(9).fill(400),
  ]);
});

test('an expired, superseded, unknown and malformed token, and one of an address that changed, get the same bytes', async () => {
  const expired = await register(app);
  const expiredToken = await verificationFor(expired.email);
  await tenantRows(app, `UPDATE email_verification_tokens SET expires_at = now() WHERE email = $1`, [
    expired.email,
  ]);
  const twice = await register(app);
  const superseded = await verificationFor(twice.email);
  await resend(twice.email);
  const newest = await verificationFor(twice.email, 2);
  const moved = await register(app);
  const movedToken = await verificationFor(moved.email);
  await tenantRows(app, `UPDATE users SET email = $2 WHERE email = $1`, [moved.email, freshEmail('moved')]);
  const off = await register(app);
  const offToken = await verificationFor(off.email);
  await tenantRows(app, `UPDATE users SET is_active = false WHERE email = $1`, [off.email]);
  const replies = new Set<string>();
  for (const token of [
    expiredToken,
    superseded,
    movedToken,
    offToken,
    `dgv_${'A'.repeat(43)}`,
    newest.replace('dgv_', 'dgp_'),
    '',
    'x'.repeat(5000),
  ]) {
    replies.add(await comparable(await verify(token)));
  }
  expect([...replies]).toEqual([expect.stringMatching(/^400\n[^]*"code":"verification_invalid"/)]);
  expect((await verify(newest)).status).toBe(200);
  expect((await app.request('/api/auth/verify-email')).status).toBe(405);
});

test('resending answers the same for known, verified and unknown addresses, and mails only where there is something to verify', async () => {
  const open = await register(app);
  await verificationFor(open.email);
  const verified = await register(app);
  await verify(await verificationFor(verified.email));
  const unknown = freshEmail('unknown');
  const replies = new Set<string>();
  for (const [name, email] of Object.entries({ open: open.email, verified: verified.email, unknown })) {
    replies.add(await comparable(await resend(email, `resend-${name}`)));
  }
  expect(replies.size).toBe(1);
  await mailTo(open.email, /dgv_/, 2);
  const reasonOf = async (id: string) => {
    for (;;) {
      const [event] = await authEvents(app, id);
      if (event !== undefined) return [event.outcome, event.detail['reason']];
      await sleep(20);
    }
  };
  expect(await reasonOf('resend-verified')).toEqual(['failure', 'already_verified']);
  expect(await reasonOf('resend-unknown')).toEqual(['failure', 'unknown_account']);
  expect(server.mails.filter(({ recipients }) => recipients.includes(verified.email))).toHaveLength(1);
});

test('three mails an hour go to one address; the fourth request answers the same', async () => {
  const { email } = await register(app);
  const first = await comparable(await resend(email));
  for (let request = 0; request < 4; request += 1) expect(await comparable(await resend(email))).toBe(first);
  // A link that a newer one has replaced before it left is not mailed, so tokens are counted: one of the registration
  // and three that were asked for.
  const tokens = () => tenantRows(app, 'SELECT id FROM email_verification_tokens WHERE email = $1', [email]);
  while ((await tokens()).length < 4) await sleep(20);
  await sleep(300);
  expect(await tokens()).toHaveLength(4);
});

test('made-up tokens and requests for mails are limited by network', async () => {
  const strict = await anotherInstance(app, {
    LIMIT_REFUSED_CREDENTIALS_PER_NETWORK: '3',
    LIMIT_MAIL_REQUESTS_PER_NETWORK: '3',
  });
  const address = freshAddress();
  const post = (path: string, json: object, at = address) =>
    strict.request(`/api/auth/${path}`, { json, headers: from(at) });
  for (const send of [
    (at?: string) => post('verify-email', { token: `dgv_${'A'.repeat(43)}` }, at),
    (at?: string) => post('refresh', { refresh_token: `dgr_${'A'.repeat(43)}` }, at),
    (at?: string) =>
      post('reset-password', { token: `dgp_${'A'.repeat(43)}`, new_password: goodPassword }, at),
    (at?: string) => post('request-reset', { email: freshEmail('flood') }, at),
    (at?: string) => post('verify-email/resend', { email: freshEmail('flood') }, at),
  ]) {
    const usual = await send(freshAddress());
    for (let round = 0; round < 3; round += 1) expect((await send()).status).toBe(usual.status);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await send(freshAddress())).status).toBe(usual.status);
  }
  // What exists passes: junk from a network shuts out no user in it.
  const account = await register(app);
  expect((await post('refresh', { refresh_token: account.refresh_token })).status).toBe(200);
  expect((await post('verify-email', { token: await verificationFor(account.email) })).status).toBe(200);
});

test('with REQUIRE_VERIFIED_EMAIL health data is taken from verified accounts only; logging in works before', async () => {
  const strict = await anotherInstance(app, { REQUIRE_VERIFIED_EMAIL: 'true' });
  const account = await register(strict);
  const photo = await skinPhoto();
  const write = async (token: string) => {
    const diagnosis = await strict.request(
      '/api/diagnosis',
      upload([imagePart(photo), anamnesisPart()], { token }),
    );
    const stored = await storeImages(strict, token, [photo]);
    // Without a photo; answers and predictions are kept all the same.
    const predicted = await strict.request('/api/ai/predict_diagnosis', { json: anamnesis, token });
    return [diagnosis.status, predicted.status, stored.status, stored.code];
  };
  const { access_token: token } = (await (await logIn(strict, account)).json()) as Tokens;
  const diagnosis = await strict.request(
    '/api/diagnosis',
    upload([imagePart(photo), anamnesisPart()], { token }),
  );
  expect([diagnosis.status, await codeOf(diagnosis)]).toEqual([403, 'email_unverified']);
  expect(await write(token)).toEqual([403, 403, 403, 'email_unverified']);
  expect((await strict.request('/api/ai/triage', { json: anamnesis, token })).status).toBe(200);
  expect((await me(strict, token)).status).toBe(200);
  await verify(await verificationFor(account.email));
  expect(await write(token)).toEqual([200, 200, 201, undefined]);
  // Without the setting no account is asked.
  const unverified = await register(app);
  expect((await storeImages(app, unverified.access_token, [photo])).status).toBe(201);
});

test.each([
  ['of another tenant', 'default', 1],
  ['of the same tenant', 'clinic', clinic],
])(
  'an invitation by mail takes an address back from an unverified account %s',
  async (_where, tenant, squatterTenant) => {
    const squatter = await register(app, { tenant, email: freshEmail('victim') });
    const [before] = await tenantRows<{ id: number; uuid: string }>(
      app,
      'SELECT id, uuid FROM users WHERE email = $1',
      [squatter.email],
      squatterTenant,
    );
    expect((await invite(squatter.email)).status).toBe(201);
    const redeemed = await redeem(await invitationFor(squatter.email));
    expect(redeemed.status, await redeemed.clone().text()).toBe(201);
    const owner = (await redeemed.json()) as Tokens;
    expect(await isVerified(owner.access_token)).toBe(true);

    expect((await me(app, squatter.access_token)).status).toBe(401);
    expect((await refresh(app, squatter.refresh_token)).status).toBe(401);
    expect((await logIn(app, squatter)).status).toBe(401);
    expect((await logIn(app, { ...squatter, password: `${goodPassword} too` })).status).toBe(200);
    const rows = await tenantRows<Record<string, unknown>>(
      app,
      `SELECT u.id, u.is_active, u.email, (SELECT array_agg(DISTINCT revoked_reason) FROM sessions s WHERE s.user_id = u.id) AS ended
       FROM users u WHERE uuid = $1`,
      [before?.uuid],
      squatterTenant,
    );
    expect(rows).toEqual([
      {
        id: before?.id,
        is_active: false,
        email: `released-${before?.uuid}@invalid`,
        ended: ['address_released'],
      },
    ]);
    const [event] = await tenantRows<{ outcome: string; detail: object }>(
      app,
      `SELECT outcome, detail FROM event_logs WHERE action = 'user_retired' AND subject_uuid = $1`,
      [before?.uuid],
      squatterTenant,
    );
    expect(event).toMatchObject({ outcome: 'success', detail: { sessions: 1 } });
    // Neither the squatter's link nor a new one opens anything.
    expect((await verify(await verificationFor(squatter.email))).status).toBe(400);
  },
);

test('an invitation by mail retires neither the last admin of a tenant nor staff whom an admin has given an account', async () => {
  await createTenant(app, 'solo');
  const solo = await register(app, { role: 'admin', tenant: 'solo' });
  const given = freshEmail('physician');
  const reply = await app.request('/api/auth/register', {
    json: { email: given, password: goodPassword, role: 'physician' },
    token: solo.access_token,
    headers: from(freshAddress()),
  });
  const physician = { ...((await reply.json()) as Tokens), email: given };
  for (const { email, access_token: token } of [solo, physician]) {
    expect((await invite(email)).status).toBe(201);
    const redeemed = await redeem(await invitationFor(email));
    expect([redeemed.status, await codeOf(redeemed)]).toEqual([409, 'email_taken']);
    expect((await me(app, token)).status).toBe(200);
  }
  // Of two admins who registered themselves, the first can be a squatter.
  await register(app, { role: 'admin', tenant: 'solo' });
  expect((await redeem(await invitationFor(solo.email))).status).toBe(201);
});

test('an admin does not invite the own address', async () => {
  const refused = await invite(admin.email.toUpperCase());
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { code: 'validation_error', errors: [{ pointer: '/email', code: 'own_address' }] },
  ]);
});

test('a refresh under way goes on while the address of its account is released, and both succeed', async () => {
  const squatter = await register(app);
  await invite(squatter.email);
  const invitation = await invitationFor(squatter.email);
  const [user] = await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE email = $1', [
    squatter.email,
  ]);
  const refreshing = await openTransaction(app);
  await refreshing.run('SELECT FROM sessions WHERE user_id = $1 FOR NO KEY UPDATE', [user?.id]);
  const redeeming = redeem(invitation);
  await refreshing.awaited();
  // What the foreign key of its next token locks.
  await refreshing.run('SELECT FROM users WHERE id = $1 FOR KEY SHARE NOWAIT', [user?.id]);
  await refreshing.commit();
  expect((await redeeming).status).toBe(201);
});

test('the owner of a verified account learns of the invitation by mail, and the admin of nothing', async () => {
  const owner = await register(app);
  await verify(await verificationFor(owner.email));
  const [known, unknown] = [await invite(owner.email), await invite(freshEmail('nobody'))];
  expect([known.status, unknown.status]).toEqual([201, 201]);
  expect(Object.keys((await known.json()) as object)).toEqual(Object.keys((await unknown.json()) as object));
  await mailTo(owner.email, /clinic invites you[^]*have an account[^]*already/);
  for (const { text, recipients } of server.mails) {
    if (recipients.includes(owner.email)) expect(text).not.toMatch(/dgi_/);
  }
  expect((await me(app, owner.access_token)).status).toBe(200);
  const listed = (await (
    await app.request('/api/auth/invitations', { token: admin.access_token })
  ).json()) as { invitations: { email: string }[] };
  expect(listed.invitations.map(({ email }) => email)).toContain(owner.email);
});

test('the owner of a verified account that is deactivated learns that signing in does not help', async () => {
  const owner = await register(app);
  await verify(await verificationFor(owner.email));
  await tenantRows(app, 'UPDATE users SET is_active = false WHERE email = $1', [owner.email]);
  expect((await invite(owner.email)).status).toBe(201);
  await mailTo(owner.email, /clinic invites you[^]*is deactivated, so you cannot sign in/);
});

test('who verifies between the invitation and its redemption keeps the account', async () => {
  const owner = await register(app);
  const verification = await verificationFor(owner.email);
  await invite(owner.email);
  const invitation = await invitationFor(owner.email);
  expect((await verify(verification)).status).toBe(200);
  const late = await redeem(invitation);
  expect([late.status, await codeOf(late)]).toEqual([409, 'email_taken']);
  expect((await me(app, owner.access_token)).status).toBe(200);
});

test('verification and redemption at the same time leave one account with the address', async () => {
  for (let round = 0; round < 8; round += 1) {
    const owner = await register(app);
    const verification = await verificationFor(owner.email);
    await invite(owner.email);
    const invitation = await invitationFor(owner.email);
    const [verified, redeemed] = await Promise.all([verify(verification), redeem(invitation)]);
    expect([
      [200, 409],
      [400, 201],
    ]).toContainEqual([verified.status, redeemed.status]);
  }
});

test('in production REQUIRE_VERIFIED_EMAIL needs a mail server', async () => {
  await expect(
    anotherInstance(app, { REQUIRE_VERIFIED_EMAIL: 'true', MAIL_URL: '', MAIL_FROM: '' }),
  ).rejects.toThrow('REQUIRE_VERIFIED_EMAIL needs MAIL_URL');
});

test('in development without a mail server the token is in the log', async () => {
  // A database of its own: the app above would mail a message that it finds in the outbox.
  const laptop = await testApp({
    env: { TRUSTED_PROXY_HOPS: '2', AZURE_FUNCTIONS_ENVIRONMENT: 'Development', MAIL_URL: '' },
  });
  const { email, access_token: token } = await register(laptop);
  const logged = () =>
    laptop.output
      .filter((line) => line.includes('"email_verification_token"'))
      .map((line) => /dgv_[\w-]{43}/.exec(line)?.[0] ?? '');
  while (logged().length < 1) await sleep(20);
  await laptop.request('/api/auth/verify-email/resend', { json: { email } });
  while (logged().length < 2) await sleep(20);
  expect((await verify(logged()[0] as string, 'any', laptop)).status).toBe(400);
  expect((await verify(logged()[1] as string, 'any', laptop)).status).toBe(200);
  expect(await isVerified(token, laptop)).toBe(true);
});
