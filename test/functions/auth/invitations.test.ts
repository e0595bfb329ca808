import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
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
  register,
  simultaneously,
  statusesOf,
  tenantRows,
  type Tokens,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { mailServer } from '../../support/mail-server.ts';

const app = await testApp({
  env: { TRUSTED_PROXY_HOPS: '2', PG_POOL_MAX: '12', SELF_REGISTRATION_ROLES: 'patient,admin' },
});
const tenantId = await createTenant(app, 'clinic');
const admin = await register(app, { role: 'admin', tenant: 'clinic' });

interface Invitation {
  uuid: string;
  email: string;
  role: string;
  expires_at: string;
  invitation_token: string;
}

const invite = (json: unknown, token = admin.access_token, id = 'any') =>
  app.request('/api/auth/invitations', { json, token, headers: { 'x-request-id': id } });

async function invited(email: string, role = 'physician'): Promise<Invitation> {
  const reply = await invite({ email, role });
  expect(reply.status).toBe(201);
  return (await reply.json()) as Invitation;
}

const redeem = (token: unknown, rest: Record<string, unknown> = {}, query = '') =>
  app.request(`/api/auth/register${query}`, {
    json: { invitation_token: token, password: goodPassword, ...rest },
    headers: from(freshAddress()),
  });

test('an invitation makes the account that it names: address, role and tenant; handed over, it proves no address', async () => {
  const email = freshEmail('invited');
  const reply = await invite({ email: ` ${email.toUpperCase()} `, role: 'physician' });
  expect(reply.status).toBe(201);
  const invitation = (await reply.json()) as Invitation;
  expect(invitation).toEqual({
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email,
    role: 'physician',
    expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    invitation_token: expect.stringMatching(/^dgi_[\w-]{43}$/),
  });
  const days = (Date.parse(invitation.expires_at) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.99);
  expect(days).toBeLessThan(7.01);

  // `physician` is not open, and the query names another tenant: the invitation decides.
  const redeemed = await redeem(invitation.invitation_token, {}, '?tenant=default');
  expect(redeemed.status).toBe(201);
  const tokens = (await redeemed.json()) as Tokens;
  expect(await (await me(app, tokens.access_token)).json()).toMatchObject({
    user: { email, role: 'physician', tenant_id: tenantId, is_verified: false },
    physician: { language_preference: 'en' },
    tenant: { slug: 'clinic' },
  });
  expect((await logIn(app, { email, password: goodPassword })).status).toBe(200);
});

test('only admins invite', async () => {
  const patient = await register(app, { tenant: 'clinic' });
  const { invitation_token: token } = await invited(freshEmail());
  const physician = (await (await redeem(token)).json()) as Tokens;
  for (const { access_token } of [patient, physician]) {
    const reply = await invite({ email: freshEmail(), role: 'patient' }, access_token, 'invite-forbidden');
    expect(reply.status).toBe(403);
    expect(await codeOf(reply)).toBe('forbidden');
  }
  expect((await app.request('/api/auth/invitations', { json: {} })).status).toBe(401);
  expect(await authEvents(app, 'invite-forbidden')).toMatchObject([
    { action: 'authz_fail', outcome: 'denied', tenant_id: tenantId },
    { action: 'authz_fail', outcome: 'denied', tenant_id: tenantId },
  ]);
});

test('what is no invitation is 400 by name', async () => {
  const cases: [unknown, string[]][] = [
    [{}, ['/email required', '/role required']],
    [{ email: 'x', role: 'root' }, ['/email invalid_format', '/role invalid_value']],
    [{ email: freshEmail(), role: 'patient', tenant_id: 1 }, ['/tenant_id unknown_field']],
    [{ email: freshEmail(), role: 'patient', expires_at: '2099-01-01' }, ['/expires_at unknown_field']],
  ];
  for (const [json, expected] of cases) {
    const reply = await invite(json);
    expect(reply.status).toBe(400);
    const { errors } = (await reply.json()) as { errors: { pointer: string; code: string }[] };
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(expected);
  }
});

test('a body that differs from the invitation is refused by name and costs nothing', async () => {
  const email = freshEmail('fixed');
  const { invitation_token: token } = await invited(email);
  const reply = await redeem(token, { email: freshEmail('other'), role: 'admin' });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({
    errors: [
      { pointer: '/email', code: 'invalid_value' },
      { pointer: '/role', code: 'invalid_value' },
    ],
  });
  for (const password of ['short', 'password']) {
    expect((await redeem(token, { password })).status).toBe(400);
  }
  expect((await redeem(token, { email: email.toUpperCase(), role: 'physician' })).status).toBe(201);
});

test('an invitation works once, also under ten simultaneous redemptions', async () => {
  for (let round = 0; round < 5; round += 1) {
    const email = freshEmail('once');
    const { invitation_token: token } = await invited(email);
    const replies = await simultaneously(10, (index) =>
      redeem(token, { password: `${goodPassword} ${index}` }),
    );
    expect(statusesOf(replies)).toEqual([201, ...Array<number>(9).fill(400)]);
    const winner = replies.findIndex(({ status }) => status === 201);
    expect((await logIn(app, { email, password: `${goodPassword} ${winner}` })).status).toBe(200);
    expect(await codeOf(await redeem(token))).toBe('invitation_invalid');
  }
});

test('an expired, used, superseded, unknown and malformed invitation are refused with the same bytes', async () => {
  const { invitation_token: expired } = await invited(freshEmail());
  await tenantRows(
    app,
    `UPDATE invitations SET expires_at = now() - interval '1 s' WHERE token_hash = $1`,
    [createHash('sha256').update(expired).digest()],
    tenantId,
  );
  const { invitation_token: used } = await invited(freshEmail());
  await redeem(used);
  const twice = freshEmail();
  const { invitation_token: superseded } = await invited(twice);
  const { invitation_token: newest } = await invited(twice, 'patient');
  const off = await createTenant(app, 'invite-off');
  const otherAdmin = await register(app, { role: 'admin', tenant: 'invite-off' });
  const offReply = await invite({ email: freshEmail(), role: 'patient' }, otherAdmin.access_token);
  const { invitation_token: shutOut } = (await offReply.json()) as Invitation;
  await app.db.query('UPDATE tenants SET is_active = false WHERE id = $1', [off]);
  const replies = new Set<string>();
  for (const token of [
    expired,
    used,
    superseded,
    shutOut,
    `dgi_${'A'.repeat(43)}`,
    newest.replace('dgi_', 'dgp_'),
    newest.slice(4),
    '',
    'x'.repeat(5000),
    admin.refresh_token,
  ]) {
    replies.add(await comparable(await redeem(token)));
  }
  expect([...replies]).toEqual([expect.stringMatching(/^400\n[^]*"code":"invitation_invalid"/)]);
  const redeemed = (await (await redeem(newest)).json()) as Tokens;
  expect(claimsOf(redeemed.access_token)['role']).toBe('patient');
});

test('of several invitations of one address at the same time the last is open and none ends in an error', async () => {
  for (let round = 0; round < 10; round += 1) {
    const email = freshEmail('many');
    const replies = await simultaneously(6, () => invite({ email, role: 'physician' }));
    expect(statusesOf(replies)).toEqual(Array<number>(6).fill(201));
    const tokens = await Promise.all(
      replies.map(async (reply) => ((await reply.json()) as Invitation).invitation_token),
    );
    const outcomes = [];
    for (const token of tokens) outcomes.push((await redeem(token)).status);
    expect(outcomes.toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400, 400, 400]);
  }
});

test('an address that has an account is invited like any other; a token that was handed over does not take it', async () => {
  const taken = await register(app);
  const [known, unknown] = [
    await invite({ email: taken.email.toUpperCase(), role: 'patient' }, admin.access_token, 'invite-taken'),
    await invite({ email: freshEmail('free'), role: 'patient' }),
  ];
  const shape = async (reply: Response) => [
    reply.status,
    Object.entries((await reply.json()) as object).map(([name, value]) => [name, typeof value]),
  ];
  expect(await shape(known.clone())).toEqual(await shape(unknown));
  expect(await authEvents(app, 'invite-taken')).toMatchObject([
    { action: 'user_invited', outcome: 'success' },
  ]);
  const { invitation_token: token } = (await known.json()) as Invitation;
  const late = await redeem(token);
  expect(late.status).toBe(409);
  expect(await codeOf(late)).toBe('email_taken');
  expect((await me(app, taken.access_token)).status).toBe(200);
});

test('a token that was handed over sets no password of an account of the same tenant and role', async () => {
  const owner = await register(app, { tenant: 'clinic' });
  const { invitation_token: token } = await invited(owner.email, 'patient');
  const taken = await app.request('/api/auth/register', {
    json: { invitation_token: token, password: `${goodPassword} too` },
    headers: from(freshAddress()),
  });
  expect([taken.status, await codeOf(taken)]).toEqual([409, 'email_taken']);
  expect((await logIn(app, owner)).status).toBe(200);
});

test('two tenants may invite one address; who redeems first has it', async () => {
  await createTenant(app, 'rival');
  const rival = await register(app, { role: 'admin', tenant: 'rival' });
  const email = freshEmail('wanted');
  const { invitation_token: ours } = await invited(email);
  const theirs = (await (await invite({ email, role: 'patient' }, rival.access_token)).json()) as Invitation;
  expect((await redeem(theirs.invitation_token)).status).toBe(201);
  expect((await redeem(ours)).status).toBe(409);
});

test('a tenant closed to self-registration is open to the invited', async () => {
  const closed = await createTenant(app, 'closed-house');
  const chief = await register(app, { role: 'admin', tenant: 'closed-house' });
  await app.db.query('UPDATE tenants SET self_registration = false WHERE id = $1', [closed]);
  const reply = await invite({ email: freshEmail(), role: 'patient' }, chief.access_token);
  const { invitation_token: token } = (await reply.json()) as Invitation;
  const redeemed = (await (await redeem(token)).json()) as Tokens;
  expect(claimsOf(redeemed.access_token)['tenant_id']).toBe(closed);
});

test('without a token to redeem, email and role are required; with one they are not', async () => {
  const reply = await app.request('/api/auth/register', {
    json: { password: goodPassword },
    headers: from(freshAddress()),
  });
  expect(reply.status).toBe(400);
  const { errors } = (await reply.json()) as { errors: { pointer: string }[] };
  expect(errors.map(({ pointer }) => pointer)).toEqual(['/email', '/role']);
});

test('with a mail server the token goes by mail and is not in the reply', async () => {
  const server = await mailServer();
  const mailing = await anotherInstance(app, {
    ...server.settings,
    PORTAL_URL: 'https://portal.example',
    AZURE_FUNCTIONS_ENVIRONMENT: 'Production',
    SELF_REGISTRATION_ROLES: 'patient',
    BCRYPT_COST: '10',
  });
  const email = freshEmail('mailed');
  const reply = await mailing.request('/api/auth/invitations', {
    json: { email, role: 'physician' },
    token: admin.access_token,
  });
  expect(reply.status).toBe(201);
  const body = await reply.text();
  expect(body).not.toMatch(/dgi_|invitation_token/);
  const [mail] = await server.arrived(1);
  expect(mail?.recipients).toEqual([email]);
  const token = /https:\/\/portal\.example\/accept-invitation#token=(dgi_[\w-]{43})/.exec(
    mail?.text ?? '',
  )?.[1];
  expect((await redeem(token)).status).toBe(201);
  expect(mailing.output.join('\n')).not.toMatch(/dgi_/);
});

test('an invitation and its redemption are in the event log', async () => {
  const email = freshEmail('audited');
  const reply = await invite({ email, role: 'physician' }, admin.access_token, 'invite-1');
  const { invitation_token: token, uuid } = (await reply.json()) as Invitation;
  expect(await authEvents(app, 'invite-1')).toMatchObject([
    { action: 'user_invited', outcome: 'success', detail: { role: 'physician' }, tenant_id: tenantId },
  ]);
  const redeemed = await app.request('/api/auth/register', {
    json: { invitation_token: token, password: goodPassword },
    headers: { 'x-request-id': 'redeem-1', ...from(freshAddress()) },
  });
  expect(redeemed.status).toBe(201);
  expect(await authEvents(app, 'redeem-1')).toMatchObject([
    { action: 'user_created', outcome: 'success', detail: { role: 'physician', invited: true } },
  ]);
  const [stored] = await tenantRows<{ row: string }>(
    app,
    `SELECT i::text || encode(token_hash, 'escape') AS row FROM invitations i WHERE uuid = $1`,
    [uuid],
    tenantId,
  );
  expect(stored?.row).not.toContain(token.slice(4));
});
