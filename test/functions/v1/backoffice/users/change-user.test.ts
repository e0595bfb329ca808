import { expect, test } from 'vitest';
import {
  claimsOf,
  codeOf,
  createTenant,
  freshAddress,
  freshEmail,
  from,
  goodPassword,
  logIn,
  me,
  openTransaction,
  register,
  resetTokenFor,
  statusesOf,
  tenantRows,
  type Tokens,
} from '../../../../support/accounts.ts';
import { annotate } from '../../../../support/answers.ts';
import { testApp } from '../../../../support/app.ts';
import { handle } from '../../../../support/case-work.ts';
import {
  newPhysician,
  type Physician,
  queueCases,
  rowOf,
  takeNext,
} from '../../../../support/queue-stage.ts';
import { readTrail } from '../../../../support/trail-stage.ts';

// An account loses its role, or is switched off: what it had goes back at once, and nothing of it is lost.

const app = await testApp();
const admin = await register(app, { role: 'admin' });
const many = { adminSettings: { max_open_cases: 20 } };

interface Changed {
  status: number;
  code?: string;
  version: number;
  role: string;
  is_active: boolean;
  groups: object[];
  physician: { uuid: string } | null;
  sessions_ended: number;
  cases_returned: number;
}

async function change(uuid: string, body: object, token = admin.access_token): Promise<Changed> {
  const [row] = await tenantRows<{ version: number }>(app, 'SELECT version FROM users WHERE uuid = $1', [
    uuid,
  ]);
  const reply = await app.request(`/api/v1/backoffice/users/${uuid}`, {
    method: 'PATCH',
    token,
    json: { version: row?.version, ...body },
  });
  return { ...((await reply.json()) as Changed), status: reply.status };
}
const subOf = ({ token }: { token: string }) => claimsOf(token).sub;
const lanes = async (uuids: readonly string[]) =>
  await Promise.all(
    uuids.map(async (uuid) => {
      const { status, lane_pool: pool, assigned_physician_id: physician } = await rowOf(app, uuid);
      return [status, pool, physician];
    }),
  );

/** A lease with a draft, two holds and a reservation. */
async function having(doctor: Physician): Promise<string[]> {
  const { email } = await register(app);
  const [account] = await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE email = $1', [email]);
  const given = { rank: 0, accountUserId: account?.id ?? 0 } as const;
  const uuids = await queueCases(app, [given, given, given]);
  for (const _ of uuids) await takeNext(app, doctor);
  const [leased = '', waiting = '', technical = ''] = uuids;
  expect((await annotate(app, doctor, leased)).httpStatus).toBe(201);
  const hold = { action: 'hold', version: 2 };
  const message = { pending_status: 'awaiting_patient', message: 'Please send another photo.' };
  expect((await handle(app, doctor, waiting, { ...hold, ...message })).status).toBe(200);
  expect((await handle(app, doctor, technical, { ...hold, pending_status: 'technical' })).status).toBe(200);
  const [reserved = ''] = await queueCases(app, [{}]);
  const assigned = { action: 'assign', physician_uuid: doctor.uuid, version: 1 };
  expect((await handle(app, { token: admin.access_token }, reserved, assigned)).status).toBe(200);
  return [leased, waiting, technical, reserved];
}
const clear = () =>
  tenantRows(
    app,
    `UPDATE request_records SET status = 'cancelled', pending_status = NULL WHERE status <> 'cancelled'`,
  );

test('a deactivated physician’s leases, holds and reservations are the next physician’s at once', async () => {
  const [doctor, colleague] = [await newPhysician(app, many), await newPhysician(app, many)];
  const uuids = await having(doctor);
  expect(await change(subOf(doctor), { is_active: false })).toMatchObject({
    status: 200,
    is_active: false,
    sessions_ended: 1,
    cases_returned: 4,
  });
  expect((await me(app, doctor.token)).status).toBe(401);
  expect(await takeNext(app, doctor)).toMatchObject({ status: 401 });
  expect(await lanes(uuids)).toEqual([
    ['queued', 'general', null],
    // Who asked is on record; the case itself waits for any physician.
    ['queued', 'general', doctor.id],
    ['queued', 'general', doctor.id],
    ['queued', 'general', doctor.id],
  ]);
  const taken = new Set<string | undefined>();
  for (const _ of uuids) taken.add((await takeNext(app, colleague)).case?.uuid);
  expect(taken).toEqual(new Set(uuids));
  // The draft stays its author's, unsigned and unread.
  const drafts = await tenantRows(
    app,
    'SELECT status, physician_id FROM dermatologist_annotations WHERE case_uuid = $1',
    [uuids[0]],
  );
  expect(drafts).toEqual([{ status: 'draft', physician_id: doctor.id }]);
  const of = async (uuid = '') =>
    (
      await readTrail(app, admin.access_token, {
        case_uuid: uuid,
        actor_uuid: claimsOf(admin.access_token).sub,
      })
    ).items;
  expect((await of(uuids[0]))[0]).toMatchObject({
    action: 'case_released',
    detail: { reason: 'physician_deactivated' },
  });
  const about = { user_uuid: subOf(doctor), category: 'admin' };
  const { items } = await readTrail(app, admin.access_token, about);
  expect(items.map(({ action, detail }) => [action, detail])).toEqual([
    ['user_changed', { changed: ['is_active'] }],
    ['user_deactivated', { role: 'physician', sessions: 1, cases: 4 }],
  ]);
  await clear();
});

test('one who is activated again logs in, with the profile and without the cases', async () => {
  const account = await register(app, { role: 'physician' });
  const uuid = claimsOf(account.access_token).sub;
  const [leased = ''] = await queueCases(app, [{}]);
  expect(await takeNext(app, { token: account.access_token })).toMatchObject({ case: { uuid: leased } });
  const { physician } = await change(uuid, { is_active: false });
  expect((await logIn(app, account)).status).toBe(403);
  expect(await change(uuid, { is_active: true })).toMatchObject({
    is_active: true,
    physician,
    cases_returned: 0,
  });
  expect((await me(app, account.access_token)).status).toBe(401);
  const { access_token: token } = (await (await logIn(app, account)).json()) as Tokens;
  expect(await lanes([leased])).toEqual([['queued', 'general', null]]);
  expect(await takeNext(app, { token })).toMatchObject({ resumed: false, case: { uuid: leased } });
  await clear();
});

test('a case that is taken while its physician is deactivated is in no hand afterwards', async () => {
  for (let round = 0; round < 3; round += 1) {
    const doctor = await newPhysician(app);
    const [uuid = ''] = await queueCases(app, [{ rank: 0 }]);
    const [taken, off] = await Promise.all([
      takeNext(app, doctor),
      change(subOf(doctor), { is_active: false }),
    ]);
    expect(off.status).toBe(200);
    expect([200, 401, 409]).toContain(taken.status);
    expect(await lanes([uuid])).toEqual([['queued', 'general', null]]);
    await clear();
  }
});

test('nobody is given a case who is deactivated at this moment', async () => {
  const doctor = await newPhysician(app);
  const [uuid = ''] = await queueCases(app, [{}]);
  const off = await openTransaction(app);
  await off.run('UPDATE users SET is_active = false WHERE id = $1', [doctor.userId]);
  await off.run('SELECT FROM physicians WHERE id = $1 FOR UPDATE', [doctor.id]);
  const assigned = { action: 'assign', physician_uuid: doctor.uuid, version: 1 };
  const assigning = handle(app, { token: admin.access_token }, uuid, assigned);
  await off.awaited();
  await off.commit();
  expect(await assigning).toMatchObject({ status: 404, code: 'physician_not_found' });
  expect(await lanes([uuid])).toEqual([['queued', 'general', null]]);
  await clear();
});

test.each([
  ['deactivated', { is_active: false }],
  ['demoted', { role: 'patient' }],
])(
  'a request with a case of a physician who is being %s waits for nothing of the change',
  async (_how, to) => {
    const doctor = await newPhysician(app, many);
    const [uuid = ''] = await queueCases(app, [{ rank: 0 }]);
    await takeNext(app, doctor);
    // A patient who cancels, or a lease that runs out: the case, then the notice to its physician.
    const moving = await openTransaction(app);
    await moving.run('SELECT FROM request_records WHERE uuid = $1 FOR UPDATE', [uuid]);
    const changing = change(subOf(doctor), to);
    await moving.awaited();
    const lockSpace = 1070;
    const { rows } = await moving.run('SELECT pg_try_advisory_xact_lock($1, $2) AS free', [
      lockSpace,
      doctor.userId,
    ]);
    expect(rows).toEqual([{ free: true }]);
    // A foreign key to the profile, such as that of a skip.
    await moving.run('SELECT FROM physicians WHERE id = $1 FOR KEY SHARE NOWAIT', [doctor.id]);
    await moving.run('SELECT FROM users WHERE id = $1 FOR KEY SHARE NOWAIT', [doctor.userId]);
    await moving.commit();
    expect(await changing).toMatchObject({ status: 200, cases_returned: 1, sessions_ended: 1 });
    expect(await lanes([uuid])).toEqual([['queued', 'general', null]]);
    await clear();
  },
);

test('who gets another role gives back the cases, and works with the new rights from the next login on', async () => {
  const capabilities = ['case.assign', 'case.audit'];
  const doctor = await newPhysician(app, { ...many, capabilities });
  const uuids = await having(doctor);
  const uuid = subOf(doctor);
  expect(await change(uuid, { role: 'admin' })).toMatchObject({
    role: 'admin',
    sessions_ended: 1,
    cases_returned: 4,
    physician: { uuid: doctor.uuid },
    groups: [{}],
  });
  expect((await me(app, doctor.token)).status).toBe(401);
  const asAdmin = (await (await logIn(app, doctor.account)).json()) as Tokens;
  expect(await (await me(app, asAdmin.access_token)).json()).toMatchObject({
    physician: { uuid: doctor.uuid },
  });
  expect((await lanes(uuids)).map((lane) => lane.slice(0, 2))).toEqual(
    uuids.map(() => ['queued', 'general']),
  );
  expect(await change(uuid, { role: 'patient' })).toMatchObject({
    role: 'patient',
    sessions_ended: 1,
    cases_returned: 0,
    groups: [],
  });
  const profiles = await tenantRows(
    app,
    `SELECT relation FROM patients WHERE account_user_id = $1 AND relation = 'self'`,
    [doctor.userId],
  );
  expect(profiles).toHaveLength(1);
  const patient = (await (await logIn(app, doctor.account)).json()) as Tokens;
  expect(await (await me(app, patient.access_token)).json()).toMatchObject({
    user: { uuid, role: 'patient' },
    physician: null,
  });
  // A physician again, with the same profile and none of the capabilities.
  expect(await change(uuid, { role: 'physician' })).toMatchObject({
    role: 'physician',
    physician: { uuid: doctor.uuid },
    groups: [],
  });
  await clear();
});

test('an admin who takes cases, as a physician once, gives them back with the role', async () => {
  const account = await register(app, { role: 'physician' });
  const uuid = claimsOf(account.access_token).sub;
  await change(uuid, { role: 'admin' });
  const { access_token: token } = (await (await logIn(app, account)).json()) as Tokens;
  const [leased = ''] = await queueCases(app, [{ rank: 0 }]);
  expect(await takeNext(app, { token })).toMatchObject({ status: 200, case: { uuid: leased } });
  expect(await change(uuid, { role: 'patient' })).toMatchObject({ role: 'patient', cases_returned: 1 });
  expect(await lanes([leased])).toEqual([['queued', 'general', null]]);
  await clear();
});

test('a patient who becomes a physician has a profile, and is offered cases', async () => {
  const account = await register(app);
  const uuid = claimsOf(account.access_token).sub;
  const [waiting = ''] = await queueCases(app, [{}]);
  const changed = await change(uuid, { role: 'physician' });
  expect(changed.physician).not.toBeNull();
  const { access_token: token } = (await (await logIn(app, account)).json()) as Tokens;
  expect(await takeNext(app, { token })).toMatchObject({ case: { uuid: waiting } });
  await clear();
});

/** By the admin, of any physician. */
async function setSettings(physician_uuid: string, version: number, json: object) {
  const reply = await app.request('/api/v1/backoffice/physicians/settings', {
    method: 'PATCH',
    token: admin.access_token,
    json: { physician_uuid, version, ...json },
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

test('the settings of a physician whose account has become a patient’s cannot be changed, and are there again with the role', async () => {
  const doctor = await newPhysician(app);
  await change(subOf(doctor), { role: 'patient' });
  const stored = async () =>
    await tenantRows(app, 'SELECT version, admin_settings FROM physicians WHERE id = $1', [doctor.id]);
  const [before] = await stored();
  const version = before?.['version'] as number;
  expect(await setSettings(doctor.uuid, version, { admin_settings: { can_sign: false } })).toMatchObject({
    status: 404,
    body: { code: 'physician_not_found' },
  });
  expect(await stored()).toEqual([before]);
  await change(subOf(doctor), { role: 'physician' });
  expect((await setSettings(doctor.uuid, version, { admin_settings: { can_sign: false } })).status).toBe(200);
});

test('a physician’s name may have 120 characters of any script, and settings that an older version does not know stay', async () => {
  const name = '𠮷'.repeat(120);
  const reply = await app.request('/api/v1/backoffice/physicians', {
    token: admin.access_token,
    json: {
      email: freshEmail('named'),
      display_name: name,
      language_preference: 'en',
      settings: { title: 'Dr.', signature_text: 'Hand clinic' },
    },
  });
  const { physician } = (await reply.json()) as { physician: { uuid: string } };
  expect(physician).toMatchObject({
    display_name: `Dr. ${name}`,
    settings: { signature_text: 'Hand clinic' },
  });
  await tenantRows(app, `UPDATE physicians SET settings = settings || '{"of_tomorrow": 1}' WHERE uuid = $1`, [
    physician.uuid,
  ]);
  const changed = await setSettings(physician.uuid, 1, { settings: { title: null } });
  expect(changed).toMatchObject({ status: 200, body: { display_name: name } });
  expect(await tenantRows(app, 'SELECT settings FROM physicians WHERE uuid = $1', [physician.uuid])).toEqual([
    { settings: { display_name: name, signature_text: 'Hand clinic', of_tomorrow: 1 } },
  ]);
});

test('of two admins who deactivate each other one stays; nobody does it to themselves', async () => {
  const slug = 'two-admins';
  await createTenant(app, slug);
  const [one, other] = [
    await register(app, { role: 'admin', tenant: slug }),
    await register(app, { role: 'admin', tenant: slug }),
  ];
  const off = (by: Tokens, uuid: string) =>
    app.request(`/api/v1/backoffice/users/${uuid}`, {
      method: 'PATCH',
      token: by.access_token,
      json: { is_active: false, version: 1 },
    });
  const own = await off(one, claimsOf(one.access_token).sub);
  expect([own.status, await own.json()]).toMatchObject([409, { code: 'own_account' }]);
  const replies = await Promise.all([
    off(one, claimsOf(other.access_token).sub),
    off(other, claimsOf(one.access_token).sub),
  ]);
  // The second one finds itself deactivated, before or while it asks.
  expect(statusesOf(replies)[0]).toBe(200);
  expect([401, 403, 409, 412]).toContain(statusesOf(replies)[1]);
  const left = await Promise.all(
    [one, other].map(async ({ access_token: token }) => (await me(app, token)).status),
  );
  expect(new Set(left)).toEqual(new Set([200, 401]));
});

/** A physician who has yet to register, with the token of the invitation. */
async function invitedPhysician() {
  const email = freshEmail('prepared');
  const reply = await app.request('/api/v1/backoffice/physicians', {
    token: admin.access_token,
    json: {
      email,
      display_name: 'Noor Example',
      language_preference: 'en',
      invite: true,
    },
  });
  const { physician, invitation } = (await reply.json()) as {
    physician: { user_uuid: string };
    invitation: { uuid: string; invitation_token: string };
  };
  return {
    uuid: physician.user_uuid,
    email,
    invitation: invitation.uuid,
    token: invitation.invitation_token,
  };
}
const redeem = (invitation_token: string) =>
  app.request('/api/auth/register', {
    json: { invitation_token, password: goodPassword },
    headers: from(freshAddress()),
  });
const isActive = async (uuid: string) =>
  (await tenantRows(app, 'SELECT is_active FROM users WHERE uuid = $1', [uuid]))[0]?.['is_active'];

test('a physician who is deactivated before registering cannot register with the invitation, nor is it sent again', async () => {
  const { uuid, invitation, token } = await invitedPhysician();
  const expired = await invitedPhysician();
  await tenantRows(app, `UPDATE invitations SET expires_at = now() - interval '1 minute' WHERE uuid = $1`, [
    expired.invitation,
  ]);
  const send = (which: string) =>
    app.request(`/api/v1/backoffice/invitations/${which}/resend`, {
      method: 'POST',
      token: admin.access_token,
    });
  for (const account of [uuid, expired.uuid])
    expect(await change(account, { is_active: false })).toMatchObject({ status: 200, is_active: false });
  expect(await codeOf(await redeem(token))).toBe('invitation_invalid');
  expect(await codeOf(await send(invitation))).toBe('invitation_not_found');
  expect(await codeOf(await send(expired.invitation))).toBe('invitation_not_found');
  expect(await isActive(uuid)).toBe(false);
  const { items } = await readTrail(app, admin.access_token, { user_uuid: uuid, category: 'admin' });
  expect(items.find(({ action }) => action === 'user_deactivated')).toMatchObject({
    detail: { role: 'physician', sessions: 0, cases: 0, invitations: 1 },
  });
  // A change that does not name the state leaves the invitation.
  const other = await invitedPhysician();
  expect((await change(other.uuid, { role: 'physician' })).status).toBe(200);
  expect((await redeem(other.token)).status).toBe(201);
});

test.each(['the deactivation', 'the registration'])(
  'a physician who is deactivated while registering is inactive afterwards, with %s first',
  async (first) => {
    const { uuid, token } = await invitedPhysician();
    const held = await openTransaction(app);
    await held.run('SELECT FROM users WHERE uuid = $1 FOR NO KEY UPDATE', [uuid]);
    const requests = {
      'the deactivation': async () => (await change(uuid, { is_active: false })).status,
      'the registration': async () => (await redeem(token)).status,
    };
    const names = Object.keys(requests).toSorted((one) => (one === first ? -1 : 1));
    const outcomes = new Map<string, Promise<number>>();
    for (const name of names) {
      outcomes.set(name, requests[name as keyof typeof requests]());
      await held.awaited(outcomes.size);
    }
    await held.rollback();
    expect(await outcomes.get('the deactivation')).toBe(200);
    expect(await outcomes.get('the registration')).toBe(first === 'the registration' ? 201 : 400);
    expect(await isActive(uuid)).toBe(false);
  },
);

test.each(['admin', 'patient'])(
  'a prepared physician who is made %s before registering has that role with the invitation, and the prepared account',
  async (role) => {
    const { uuid, invitation, token } = await invitedPhysician();
    const colleague = await invitedPhysician();
    expect((await change(uuid, { role })).status).toBe(200);
    const listed = await app.request('/api/auth/invitations', { token: admin.access_token });
    const { invitations } = (await listed.json()) as { invitations: { uuid: string; role: string }[] };
    const roleOf = (which: string) => invitations.find((each) => each.uuid === which)?.role;
    expect([roleOf(invitation), roleOf(colleague.invitation)]).toEqual([role, 'physician']);
    const redeemed = await redeem(token);
    expect(redeemed.status).toBe(201);
    const { access_token } = (await redeemed.json()) as Tokens;
    expect(claimsOf(access_token)).toMatchObject({ sub: uuid, role });
    // A token that was handed over proves no address.
    expect(await (await me(app, access_token)).json()).toMatchObject({
      user: { uuid, role, is_verified: false },
    });
  },
);

test('a prepared account is not activated by an invitation of another role that was handed over', async () => {
  const { uuid, email, token: first } = await invitedPhysician();
  const reply = await app.request('/api/auth/invitations', {
    json: { email, role: 'patient' },
    token: admin.access_token,
  });
  const { invitation_token: token } = (await reply.json()) as { invitation_token: string };
  const refused = await redeem(token);
  expect([refused.status, await codeOf(refused)]).toEqual([409, 'email_taken']);
  // The later invitation has taken the place of the one before.
  expect(await codeOf(await redeem(first))).toBe('invitation_invalid');
  expect(await isActive(uuid)).toBe(false);
});

test('a role that is taken away while its invitation is redeemed is not given', async () => {
  const { uuid, token } = await invitedPhysician();
  const held = await openTransaction(app);
  await held.run('SELECT FROM users WHERE uuid = $1 FOR NO KEY UPDATE', [uuid]);
  const demoting = change(uuid, { role: 'patient' });
  await held.awaited();
  const redeeming = redeem(token);
  await held.awaited(2);
  await held.rollback();
  expect((await demoting).status).toBe(200);
  const { access_token } = (await (await redeeming).json()) as Tokens;
  expect(claimsOf(access_token)).toMatchObject({ sub: uuid, role: 'patient' });
});

test.each([
  ['deactivated and activated again', [{ is_active: false }, { is_active: true }]],
  ['demoted and made admin again', [{ role: 'physician' }, { role: 'admin' }]],
])('what an admin has sent who is %s does not work again', async (_how, changes) => {
  const other = await register(app, { role: 'admin' });
  const reply = await app.request('/api/auth/invitations', {
    token: other.access_token,
    json: { email: freshEmail('guest'), role: 'admin' },
  });
  const { invitation_token: token } = (await reply.json()) as { invitation_token: string };
  for (const each of changes) expect((await change(claimsOf(other.access_token).sub, each)).status).toBe(200);
  expect(await codeOf(await redeem(token))).toBe('invitation_invalid');
});

test.each([
  ['invites', '/api/auth/invitations', { role: 'admin' }],
  ['registers an admin', '/api/auth/register', { role: 'admin', password: goodPassword }],
  [
    'creates a physician',
    '/api/v1/backoffice/physicians',
    { display_name: 'Noor Example', language_preference: 'en' },
  ],
])('an admin who is deactivated at this moment and %s lets no one in', async (_what, path, json) => {
  const other = await register(app, { role: 'admin' });
  const email = freshEmail('guest');
  const off = await openTransaction(app);
  await off.run('UPDATE users SET is_active = false WHERE email = $1', [other.email]);
  const sending = app.request(path, { token: other.access_token, json: { ...json, email } });
  await off.awaited();
  await off.commit();
  const reply = await sending;
  expect(reply.status).toBe(403);
  for (const table of ['invitations', 'users'])
    expect(await tenantRows(app, `SELECT FROM ${table} WHERE email = $1`, [email])).toEqual([]);
});

test('a link for a new password from before a deactivation does not work after it', async () => {
  const { email, access_token } = await register(app);
  const link = await resetTokenFor(app, email);
  for (const is_active of [false, true]) await change(claimsOf(access_token).sub, { is_active });
  const reset = await app.request('/api/auth/reset-password', {
    json: { token: link, new_password: goodPassword },
    headers: from(freshAddress()),
  });
  expect(await codeOf(reset)).toBe('reset_token_invalid');
});

test.each([
  ['demoted', `role = 'patient'`, { role: 'admin' }],
  ['deactivated', 'is_active = false', { is_active: true }],
])('an admin who is %s at this moment cannot undo it for the own account', async (state, loss, undo) => {
  const slug = `admin-${state}`;
  const tenantId = await createTenant(app, slug);
  const one = await register(app, { role: 'admin', tenant: slug });
  await register(app, { role: 'admin', tenant: slug });
  const { sub: uuid } = claimsOf(one.access_token);
  const other = await openTransaction(app, tenantId);
  await other.run(`UPDATE users SET ${loss}, version = version + 1 WHERE uuid = $1`, [uuid]);
  const undoing = app.request(`/api/v1/backoffice/users/${uuid}`, {
    method: 'PATCH',
    token: one.access_token,
    json: { ...undo, version: 2 },
  });
  await other.awaited();
  const before = await other.run('SELECT role, is_active FROM users WHERE uuid = $1', [uuid]);
  await other.commit();
  const reply = await undoing;
  expect([reply.status, await reply.json()]).toMatchObject([403, { code: 'forbidden' }]);
  expect(
    await tenantRows(app, 'SELECT role, is_active FROM users WHERE uuid = $1', [uuid], tenantId),
  ).toEqual(before.rows);
});
