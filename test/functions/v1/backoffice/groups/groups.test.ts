import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  claimsOf,
  createTenant,
  openTransaction,
  register,
  statusesOf,
  tenantRows,
} from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';
import { handle } from '../../../../support/case-work.ts';
import { newPhysician, queueCases, takeNext } from '../../../../support/queue-stage.ts';

// Groups: what membership adds, from which request on, and who can be a member.

const app = await testApp();
await createTenant(app, 'groups-elsewhere');
const [admin, foreign, patient] = await Promise.all([
  register(app, { role: 'admin' }),
  register(app, { role: 'admin', tenant: 'groups-elsewhere' }),
  register(app),
]);
const subOf = (token: string) => claimsOf(token).sub;

interface Group {
  uuid: string;
  name: string;
  version: number;
  member_count: number;
  settings: { capabilities: string[]; pools: string[]; languages: string[] };
  members: { items: { uuid: string }[]; next_cursor: string | null };
  results: { user_uuid: string; ok: boolean; code?: string }[];
  code?: string;
}
async function ask(method: string, path: string, json?: object, token = admin.access_token) {
  const reply = await app.request(`/api/v1/backoffice/groups${path}`, {
    method,
    token,
    ...(json !== undefined && { json }),
  });
  const text = await reply.text();
  return { status: reply.status, etag: reply.headers.get('etag'), ...(JSON.parse(text || '{}') as Group) };
}
let count = 0;
const create = (settings: object = {}) => ask('POST', '', { name: `Group ${(count += 1)}`, settings });
const join = (group: Group, ...add: string[]) => ask('PATCH', `/${group.uuid}/members`, { add });

test('a capability counts from the member’s next request on, and is gone with the next after it was taken away', async () => {
  const doctor = await newPhysician(app);
  const [uuid = ''] = await queueCases(app, [{}]);
  const cancel = () => handle(app, doctor, uuid, { action: 'cancel', reason: 'test', version: 1 });
  const mayCancel = async () => {
    const reply = await app.request(`/api/v1/backoffice/cases/${uuid}`, { token: doctor.token });
    const { allowed_actions: actions } = (await reply.json()) as { allowed_actions: string[] };
    return actions.includes('cancel');
  };
  expect(await cancel()).toMatchObject({ status: 403, capability: 'case.cancel' });
  const group = await create({ capabilities: ['case.cancel'] });
  expect(group).toMatchObject({ status: 201, member_count: 0, version: 1, etag: '"1"' });
  expect(await mayCancel()).toBe(false);
  expect(await join(group, subOf(doctor.token))).toMatchObject({ status: 200, member_count: 1 });
  expect(await mayCancel()).toBe(true);
  // The capability leaves the group, comes back, the member leaves, comes back, the group goes.
  const change = (version: number, capabilities: string[]) =>
    ask('PATCH', `/${group.uuid}`, { version, settings: { capabilities } });
  expect(await change(1, [])).toMatchObject({ status: 200, version: 2 });
  expect(await mayCancel()).toBe(false);
  expect(await change(2, ['case.cancel'])).toMatchObject({ status: 200, version: 3 });
  expect(await mayCancel()).toBe(true);
  await ask('PATCH', `/${group.uuid}/members`, { remove: [subOf(doctor.token)] });
  expect(await cancel()).toMatchObject({ status: 403, code: 'capability_required' });
  await join(group, subOf(doctor.token));
  expect(await mayCancel()).toBe(true);
  expect(await ask('DELETE', `/${group.uuid}`)).toMatchObject({ status: 204 });
  expect(await cancel()).toMatchObject({ status: 403, code: 'capability_required' });
  expect(await ask('GET', `/${group.uuid}`)).toMatchObject({ status: 404, code: 'group_not_found' });
  const events = await tenantRows<{ action: string }>(
    app,
    `SELECT action FROM event_logs WHERE category = 'admin' AND outcome = 'success'
       AND (subject_uuid = $1 OR detail ->> 'group' = $1::text) ORDER BY id`,
    [group.uuid],
  );
  expect(events.map(({ action }) => action)).toEqual([
    'group_created',
    'group_member_added',
    'group_members_changed',
    'group_updated',
    'group_updated',
    'group_member_removed',
    'group_members_changed',
    'group_member_added',
    'group_members_changed',
    'group_deleted',
  ]);
});

test('pools and languages of groups add lanes to those that a physician has', async () => {
  const doctor = await newPhysician(app, { languages: ['en'] });
  const pool = `pool-${randomUUID().slice(0, 8)}`;
  const [uuid = ''] = await queueCases(app, [{ pool, language: 'ar', rank: 0 }]);
  expect(await takeNext(app, doctor, { languages: ['ar'] })).toMatchObject({ case: null });
  const [pools, languages] = [await create({ pools: [pool] }), await create({ languages: ['ar'] })];
  await join(pools, subOf(doctor.token));
  expect(await takeNext(app, doctor, { languages: ['ar'] })).toMatchObject({ case: null });
  await join(languages, subOf(doctor.token));
  expect(await takeNext(app, doctor, { languages: ['ar'] })).toMatchObject({ case: { uuid } });
});

test('a physician who reviews a language through a group alone is found by that language', async () => {
  const [inGroup, own] = [await newPhysician(app), await newPhysician(app, { languages: ['ar'] })];
  expect(await join(await create({ languages: ['ar'] }), subOf(inGroup.token))).toMatchObject({
    status: 200,
  });
  const found = async (language: string) => {
    const reply = await app.request('/api/v1/backoffice/physicians/details', {
      json: { filter: { language } },
      token: admin.access_token,
    });
    const { items } = (await reply.json()) as { items: { uuid: string; review_languages: string[] }[] };
    expect(items.every(({ review_languages: languages }) => languages.includes(language))).toBe(true);
    return items.map(({ uuid }) => uuid).filter((uuid) => uuid === inGroup.uuid || uuid === own.uuid);
  };
  expect(await found('ar')).toEqual([inGroup.uuid, own.uuid]);
  expect(await found('en')).toEqual([inGroup.uuid]);
  expect(await found('es')).toEqual([]);
});

test('each account joins or fails by itself: patients, strangers and those of other tenants do not', async () => {
  const [doctor, group] = [await newPhysician(app), await create()];
  const [mine, theirs, unknown] = [subOf(doctor.token), subOf(foreign.access_token), randomUUID()];
  const changed = await ask('PATCH', `/${group.uuid}/members`, {
    add: [theirs, mine.toUpperCase(), subOf(patient.access_token), unknown],
  });
  expect(changed).toMatchObject({ status: 200, member_count: 1 });
  expect(changed.results).toEqual([
    { user_uuid: theirs, ok: false, code: 'user_not_found' },
    { user_uuid: mine, ok: true },
    { user_uuid: subOf(patient.access_token), ok: false, code: 'not_staff' },
    { user_uuid: unknown, ok: false, code: 'user_not_found' },
  ]);
  // Again, and who is not in it leaves: both are as asked for.
  expect((await join(group, mine)).results).toEqual([{ user_uuid: mine, ok: true }]);
  const left = await ask('PATCH', `/${group.uuid}/members`, { remove: [subOf(admin.access_token)] });
  expect(left).toMatchObject({ results: [{ ok: true }], member_count: 1 });
  const { members } = await ask('GET', `/${group.uuid}`);
  expect(members.items).toMatchObject([{ uuid: mine, role: 'physician', is_active: true }]);
});

test('an account that becomes a patient’s at this moment joins no group, and none joins one that is deleted', async () => {
  const [doctor, group, other] = [await newPhysician(app), await create(), await create()];
  const demoting = await openTransaction(app);
  await demoting.run(`UPDATE users SET role = 'patient' WHERE id = $1`, [doctor.userId]);
  const joining = join(group, subOf(doctor.token));
  await demoting.awaited();
  await demoting.commit();
  expect(await joining).toMatchObject({ results: [{ ok: false, code: 'not_staff' }], member_count: 0 });
  const deleting = await openTransaction(app);
  await deleting.run('DELETE FROM user_groups WHERE uuid = $1', [other.uuid]);
  const late = join(other, subOf(admin.access_token));
  await deleting.awaited();
  await deleting.commit();
  expect(await late).toMatchObject({ status: 404, code: 'group_not_found' });
});

test('two admins who change one group: the second learns that it has changed; a name is given once', async () => {
  const group = await create({ capabilities: ['case.audit'] });
  const rename = (name: string, version: number) => ask('PATCH', `/${group.uuid}`, { name, version });
  const both = await Promise.all([rename('Night shift', 1), rename('Late shift', 1)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  expect(both.find(({ status }) => status === 412)).toMatchObject({ current_version: 2 });
  expect(await ask('PATCH', `/${group.uuid}`, { name: 'x' })).toMatchObject({ code: 'version_required' });
  expect((await ask('GET', `/${group.uuid}`)).settings).toEqual({
    capabilities: ['case.audit'],
    pools: [],
    languages: [],
  });
  const name = 'Second readers';
  const twice = await Promise.all([
    app.request('/api/v1/backoffice/groups', { json: { name }, token: admin.access_token }),
    app.request('/api/v1/backoffice/groups', { json: { name }, token: admin.access_token }),
  ]);
  expect(statusesOf(twice)).toEqual([201, 409]);
  expect(await ask('POST', '', { name })).toMatchObject({ status: 409, code: 'name_taken' });
  expect(await rename(name, 2)).toMatchObject({ status: 409, code: 'name_taken' });
  expect(await ask('POST', '', { name }, foreign.access_token)).toMatchObject({ status: 201 });
});

test('pages of groups and of members meet each once while others come; their cursors fit nothing else', async () => {
  const group = await create();
  const doctors = await Promise.all([newPhysician(app), newPhysician(app), newPhysician(app)]);
  await join(group, ...doctors.map(({ token }) => subOf(token)));
  const walked: string[] = [];
  let cursor: string | null = null;
  let first: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { members }: Group = await ask('GET', `/${group.uuid}?limit=1${query}`);
    walked.push(...members.items.map(({ uuid }) => uuid));
    first ??= members.next_cursor;
    cursor = members.next_cursor;
    if (walked.length === 1) await join(group, subOf(admin.access_token));
  } while (cursor !== null);
  expect(new Set(walked).size).toBe(walked.length);
  expect(walked).toEqual(expect.arrayContaining(doctors.map(({ token }) => subOf(token))));
  const other = await create();
  for (const path of [
    `/${other.uuid}?cursor=${first}`,
    `?cursor=${first}`,
    `/${group.uuid}?cursor=${first}x`,
  ]) {
    expect([path, await ask('GET', path)]).toMatchObject([path, { status: 400, code: 'cursor_invalid' }]);
  }
});
