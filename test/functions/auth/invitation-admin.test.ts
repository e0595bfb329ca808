import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  authEvents,
  claimsOf,
  codeOf,
  createTenant,
  freshAddress,
  freshEmail,
  from,
  goodPassword,
  register,
  tenantRows,
  type Tokens,
} from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2' } });
const tenantId = await createTenant(app, 'clinic');
const admin = await register(app, { role: 'admin', tenant: 'clinic' });

interface Open {
  uuid: string;
  email: string;
  role: string;
  invited_by: string;
}

async function invite(email = freshEmail('invited'), token = admin.access_token) {
  const reply = await app.request('/api/auth/invitations', { json: { email, role: 'physician' }, token });
  expect(reply.status).toBe(201);
  return (await reply.json()) as { uuid: string; email: string; invitation_token: string };
}

const redeem = (token: string, options: { token?: string; headers?: Record<string, string> } = {}) =>
  app.request('/api/auth/register', {
    json: { invitation_token: token, password: goodPassword },
    ...options,
    headers: { ...from(freshAddress()), ...options.headers },
  });

async function open(token = admin.access_token): Promise<Open[]> {
  const reply = await app.request('/api/auth/invitations', { token });
  expect(reply.status).toBe(200);
  const text = await reply.text();
  expect(text).not.toMatch(/dgi_|token/);
  return (JSON.parse(text) as { invitations: Open[] }).invitations;
}

const revoke = (uuid: string, token = admin.access_token, id = 'any') =>
  app.request(`/api/auth/invitations/${uuid}`, { method: 'DELETE', token, headers: { 'x-request-id': id } });

const inClinic = (text: string, values: unknown[]) => tenantRows(app, text, values, tenantId);

test.each([
  ['is inactive', 'UPDATE users SET is_active = false WHERE email = $1'],
  ['is no longer admin', `UPDATE users SET role = 'physician' WHERE email = $1`],
])('an invitation whose inviter %s is invalid, and cannot be redeemed', async (_how, change) => {
  const former = await register(app, { role: 'admin', tenant: 'clinic' });
  const invitation = await invite(undefined, former.access_token);
  expect((await open()).map(({ uuid }) => uuid)).toContain(invitation.uuid);
  await inClinic(change, [former.email]);
  const refused = await redeem(invitation.invitation_token);
  expect([refused.status, await codeOf(refused)]).toEqual([400, 'invitation_invalid']);
  expect((await open()).map(({ uuid }) => uuid)).not.toContain(invitation.uuid);
  await inClinic(`UPDATE users SET is_active = true, role = 'admin' WHERE email = $1`, [former.email]);
  expect((await redeem(invitation.invitation_token)).status).toBe(201);
});

test('open invitations are listed with who made them, the newest first; used, replaced and expired ones are not', async () => {
  const twice = freshEmail('twice');
  const replaced = await invite(twice);
  const first = await invite(twice);
  const used = await invite();
  await redeem(used.invitation_token);
  const expired = await invite();
  await inClinic(`UPDATE invitations SET expires_at = now() WHERE uuid = $1`, [expired.uuid]);
  const newest = await invite();
  const listed = await open();
  const uuids = listed.map(({ uuid }) => uuid);
  expect(uuids[0]).toBe(newest.uuid);
  expect(uuids).toContain(first.uuid);
  for (const gone of [replaced, used, expired]) expect(uuids).not.toContain(gone.uuid);
  expect(listed[0]).toEqual({
    uuid: newest.uuid,
    email: newest.email,
    role: 'physician',
    invited_by: claimsOf(admin.access_token).sub,
    created_at: expect.stringMatching(/Z$/),
    expires_at: expect.stringMatching(/Z$/),
  });
});

test('an admin withdraws an invitation: its token is invalid at once, and it is no longer listed', async () => {
  const invitation = await invite();
  expect((await revoke(invitation.uuid, admin.access_token, 'revoke-1')).status).toBe(204);
  expect(await authEvents(app, 'revoke-1')).toMatchObject([
    { action: 'invitation_revoked', outcome: 'success', tenant_id: tenantId },
  ]);
  expect(await codeOf(await redeem(invitation.invitation_token))).toBe('invitation_invalid');
  expect((await open()).map(({ uuid }) => uuid)).not.toContain(invitation.uuid);
  expect((await revoke(invitation.uuid)).status).toBe(404);
  // The address can be invited again.
  expect((await redeem((await invite(invitation.email)).invitation_token)).status).toBe(201);
});

test('invitations of another tenant are neither listed nor withdrawn, and trying is an event', async () => {
  await createTenant(app, 'rival');
  const rival = await register(app, { role: 'admin', tenant: 'rival' });
  const invitation = await invite();
  expect(await open(rival.access_token)).toEqual([]);
  expect((await revoke(invitation.uuid, rival.access_token, 'revoke-foreign')).status).toBe(404);
  expect(await authEvents(app, 'revoke-foreign')).toMatchObject([
    { action: 'authz_fail', outcome: 'denied' },
  ]);
  expect((await redeem(invitation.invitation_token)).status).toBe(201);
});

test('patients and physicians neither list nor withdraw', async () => {
  const invitation = await invite();
  const physician = (await (await redeem((await invite()).invitation_token)).json()) as Tokens;
  const patient = await register(app, { tenant: 'clinic' });
  for (const { access_token: token } of [physician, patient]) {
    expect((await app.request('/api/auth/invitations', { token })).status).toBe(403);
    expect((await revoke(invitation.uuid, token)).status).toBe(403);
  }
  expect((await revoke('not-a-uuid')).status).toBe(404);
});

test('the event of a redeemed invitation names the invitee, even if the request carries another account’s token', async () => {
  const invitation = await invite();
  const reply = await redeem(invitation.invitation_token, {
    token: admin.access_token,
    headers: { 'x-request-id': 'redeem-as-admin' },
  });
  const { sub } = claimsOf(((await reply.json()) as Tokens).access_token);
  const [invitee] = await inClinic('SELECT id FROM users WHERE uuid = $1', [sub]);
  expect(await authEvents(app, 'redeem-as-admin')).toMatchObject([
    { action: 'user_created', actor_user_id: invitee?.['id'] },
  ]);
});

test('a patient’s token on a registration makes the patient no actor of it', async () => {
  const patient = await register(app);
  const reply = await app.request('/api/auth/register', {
    json: { email: freshEmail('sibling'), password: goodPassword, role: 'patient' },
    token: patient.access_token,
    headers: { 'x-request-id': 'register-as-patient', ...from(freshAddress()) },
  });
  const { sub } = claimsOf(((await reply.json()) as Tokens).access_token);
  const [sibling] = await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE uuid = $1', [sub]);
  expect(await authEvents(app, 'register-as-patient')).toMatchObject([{ actor_user_id: sibling?.id }]);
});

test('creating a physician reveals a taken address of another tenant only when nothing else is wrong, and so often', async () => {
  const { email } = await register(app);
  const colleague = await register(app, { role: 'admin', tenant: 'clinic' });
  const create = async (json: object, { access_token: token } = admin) => {
    const noor = { display_name: 'Noor Example', language_preference: 'en', invite: false };
    const reply = await app.request('/api/v1/backoffice/physicians', { token, json: { ...noor, ...json } });
    return [reply.status, reply.status === 201 ? undefined : await codeOf(reply)];
  };
  expect(await create({ email: freshEmail('first'), employee_id: 17 })).toEqual([201, undefined]);
  expect(await create({ email, group_uuids: [randomUUID()] })).toEqual([404, 'group_not_found']);
  expect(await create({ email, employee_id: 17 })).toEqual([409, 'employee_id_taken']);
  expect(await create({ email })).toEqual([409, 'email_taken']);
  // As if many more had been refused.
  await app.db.query('UPDATE throttle_counters SET attempts = 1000000 WHERE attempts > 0');
  expect(await create({ email: freshEmail('second') })).toEqual([429, 'rate_limited']);
  expect(await create({ email: freshEmail('second') }, colleague)).toEqual([201, undefined]);
});
