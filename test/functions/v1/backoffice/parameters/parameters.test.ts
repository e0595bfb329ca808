import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTenant, register } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';

// Parameters in the hands of admins: what may stand in them, who sees them, and two admins at once.

const app = await testApp();
// Instances remember the parameters of a tenant for five seconds: the tenants are this file's own.
const [slug, other] = [`parameters-${randomUUID().slice(0, 8)}`, `parameters-${randomUUID().slice(0, 8)}`];
await createTenant(app, slug);
await createTenant(app, other);
const [admin, foreign, patient] = await Promise.all([
  register(app, { role: 'admin', tenant: slug }),
  register(app, { role: 'admin', tenant: other }),
  register(app, { tenant: slug }),
]);

interface Parameters {
  status: number;
  code?: string;
  errors?: { pointer: string }[];
  current_version?: number;
  version: number;
  visibility: string;
  values: Record<string, unknown>;
  defaults: Record<string, unknown>;
  value_schema: object | null;
  updated_by: string | null;
}
async function ask(method: string, name: string, json?: object, token = admin.access_token) {
  const reply = await app.request(`/api/v1/backoffice/parameters/${name}`, {
    method,
    token,
    ...(json !== undefined && { json }),
  });
  return { ...((await reply.json()) as Parameters), status: reply.status };
}
const read = (name: string, token = admin.access_token) => ask('GET', name, undefined, token);
const put = (name: string, values: object, version: number, more: object = {}) =>
  ask('PUT', name, { values, version, ...more });

test('own values replace those before as a whole; for what is missing the defaults count again', async () => {
  const name = 'queue/rules';
  const before = await read(name);
  expect(before).toMatchObject({ status: 200, values: {}, defaults: { lease_minutes: 30 } });
  expect(before.value_schema).toMatchObject({ type: 'object' });
  const once = await put(name, { lease_minutes: 45, undo_minutes: 0 }, before.version);
  expect(once).toMatchObject({ status: 200, values: { lease_minutes: 45, undo_minutes: 0 } });
  const twice = await put(name, { lease_minutes: 60 }, once.version);
  expect(twice.values).toEqual({ lease_minutes: 60 });
  expect(twice.defaults).toMatchObject({ lease_minutes: 30, undo_minutes: 5 });
  expect((await read(name, foreign.access_token)).values).toEqual({});
  const none = await put(name, {}, twice.version);
  expect(none).toMatchObject({ values: {}, version: twice.version + 1 });
});

test('a consent that counts can be read: its text comes first, in English at least, and stays', async () => {
  const [versions, texts] = ['legal/consent', 'resources/consent'];
  const refused = async (name: string, values: object) => {
    // A set without any value is not found, and is at its first version.
    const { status, version } = await read(name);
    const reply = await put(name, values, status === 404 ? 1 : version);
    return [reply.status, ...(reply.errors ?? []).map(({ pointer }) => pointer)];
  };
  expect(await refused(versions, { version: '2' })).toEqual([400, '/values/version']);
  expect(await refused(versions, { version: '2 b' })).toEqual([400, '/values/version']);
  expect(await refused(texts, { v2: { he: 'ההסכמה שלנו.' } })).toEqual([400, '/values/v2/en']);
  expect(await refused(texts, { v2: { en: 'Our own consent.' } })).toEqual([200]);
  expect(await refused(versions, { version: '2' })).toEqual([200]);
  expect(await refused(texts, { v3: { en: 'Our next consent.' } })).toEqual([400, '/values/v2']);
  expect((await read(texts)).values).toEqual({ v2: { en: 'Our own consent.' } });
  // The shipped one counts again, and the other may go.
  expect(await refused(versions, {})).toEqual([200]);
  expect(await refused(texts, {})).toEqual([200]);
});

test('two admins at once: the second is refused, and nothing of the first is lost', async () => {
  const name = 'clinic/rooms';
  const both = await Promise.all([put(name, { rooms: 1 }, 1), put(name, { rooms: 2 }, 1)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  expect(both.find(({ status }) => status === 412)).toMatchObject({ current_version: 2 });
  const stored = await read(name);
  expect(stored.values).toEqual(both.find(({ status }) => status === 200)?.values);
  expect(await ask('PUT', name, { values: {} })).toMatchObject({ status: 428 });
});

test.each<[string, string, object, string]>([
  ['below the least', 'queue/rules', { lease_minutes: 4 }, '/values/lease_minutes'],
  ['of another type', 'queue/rules', { allow_claim: 'yes' }, '/values/allow_claim'],
  ['of a key that the service does not know', 'queue/rules', { lease_minuts: 30 }, '/values/lease_minuts'],
  ['of a key that is none', 'clinic/rooms', { 'No key': 1 }, '/values/No key'],
  ['too large', 'clinic/rooms', { text: 'x'.repeat(70_000) }, '/values'],
])('a value %s is refused at its place, and changes nothing', async (_what, name, values, pointer) => {
  const before = await read(name);
  const { version = 1 } = before.status === 200 ? before : {};
  const refused = await put(name, values, version);
  expect([refused.status, refused.errors?.map((each) => each.pointer)]).toEqual([400, [pointer]]);
  expect(await read(name)).toEqual(before);
});

test('a misspelt name of the service’s branches does not exist; who sees a name of the service is settled', async () => {
  expect(await put('queue/rule', { lease_minutes: 30 }, 1)).toMatchObject({
    status: 404,
    code: 'parameters_not_found',
  });
  const settled = await put('queue/sla_hours', { emergency: 2 }, (await read('queue/sla_hours')).version, {
    visibility: 'public',
  });
  expect(settled).toMatchObject({ status: 400, errors: [{ pointer: '/visibility' }] });
});

test('parameters of clients are internal unless an admin shows them', async () => {
  const seen = async (name: string) => {
    const path = `/api/v1/mobile/config/parameters/${name}`;
    return (await app.request(path, { token: patient.access_token })).status;
  };
  const inner = await put('portal/inner', { main: 'teal' }, 1);
  expect(inner).toMatchObject({ status: 200, visibility: 'internal' });
  const shown = await put('portal/colours', { main: 'teal' }, 1, { visibility: 'authenticated' });
  expect(shown).toMatchObject({ status: 200, visibility: 'authenticated' });
  expect([await seen('portal/inner'), await seen('portal/colours')]).toEqual([404, 200]);
  // What a later change does not name stays.
  expect(await put('portal/colours', { main: 'red' }, shown.version)).toMatchObject({
    visibility: 'authenticated',
  });
});
