import { expect, test } from 'vitest';
import { register, tenantRows } from '../../../support/accounts.ts';
import { testApp } from '../../../support/app.ts';
import { newPatients } from '../../../support/case-rows.ts';

// What a client sends as the version of a record.

const app = await testApp();
const { access_token: token } = await register(app, { role: 'admin' });

async function create(path: string, json: object): Promise<{ id?: string; uuid?: string }> {
  const reply = await app.request(`/api/v1/backoffice/${path}`, { json, token });
  expect(reply.status).toBe(201);
  return (await reply.json()) as { id?: string; uuid?: string };
}

test.each([
  [
    'group',
    async () => `groups/${(await create('groups', { name: 'Versions', settings: {} })).uuid}`,
    { name: 'Other' },
  ],
  [
    'patient',
    async () => `patients/${(await newPatients(app, [{ given: 'Noa' }]))[0]?.uuid}`,
    { pool: null },
  ],
  [
    'template',
    async () =>
      `templates/${(await create('templates', { kind: 'message', scope: 'tenant', name: 'Versions', bodies: { en: 'Hello.' } })).id}`,
    { bodies: { en: 'Other.' } },
  ],
])(
  'the version of a %s that no column holds is invalid, the largest one is stale',
  async (_, make, change) => {
    const path = `/api/v1/backoffice/${await make()}`;
    const send = async (version: number) => {
      const reply = await app.request(path, { method: 'PATCH', token, json: { ...change, version } });
      return [reply.status, await reply.json()];
    };
    for (const version of [2_147_483_647, 2_147_483_648, Number.MAX_SAFE_INTEGER])
      expect(await send(version)).toMatchObject([
        400,
        { code: 'validation_error', errors: [{ pointer: '/version' }] },
      ]);
    expect(await send(2_147_483_646)).toMatchObject([412, { code: 'version_conflict', current_version: 1 }]);
  },
);

test('a template is named by digits alone', async () => {
  const { id } = await create('templates', {
    kind: 'message',
    scope: 'tenant',
    name: 'Digits',
    bodies: { en: 'Hello.' },
  });
  const remove = async (name: string) => {
    const options = { method: 'DELETE', token, headers: { 'if-match': '"1"' } };
    return (await app.request(`/api/v1/backoffice/templates/${name}`, options)).status;
  };
  for (const name of [`${id}e0`, `0x${Number(id).toString(16)}`, `0${id}`, `${id}.0`, `%20${id}`, `+${id}`])
    expect([name, await remove(name)]).toEqual([name, 404]);
  expect(await remove(String(id))).toBe(204);
  const list = async (disease: string) =>
    (await app.request(`/api/v1/backoffice/templates/disease/${disease}`, { token })).status;
  expect([await list('1e0'), await list('0x1'), await list('01')]).toEqual([404, 404, 404]);
});

test('of templates that are made the default at once, one is', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `Side by side ${index}`);
  const made = { kind: 'message', scope: 'tenant', bodies: { en: 'It heals.' }, is_default: true };
  await Promise.all(names.map((name) => create('templates', { ...made, name })));
  const rows = await tenantRows(
    app,
    `SELECT count(*)::int AS count FROM report_templates WHERE is_default AND name LIKE 'Side by side %'`,
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test('a default template that is changed while another one becomes the default: one of the two waits, and none fails', async () => {
  const made = { kind: 'message', scope: 'tenant', bodies: { en: 'It heals.' }, disease_id: null };
  const make = (name: string, is_default: boolean) => create('templates', { ...made, name, is_default });
  const pair = [await make('This one', true), await make('That one', false)].map(({ id }) => String(id));
  const version = async (id: string) => {
    const [row] = await tenantRows<{ version: number }>(
      app,
      'SELECT version FROM report_templates WHERE id = $1',
      [id],
    );
    return row?.version;
  };
  const change = async (id: string, json: object) => {
    const path = `/api/v1/backoffice/templates/${id}`;
    const stated = { ...json, version: await version(id) };
    return (await app.request(path, { method: 'PATCH', token, json: stated })).status;
  };
  for (let round = 0; round < 25; round += 1) {
    const [now = '', next = ''] = round % 2 === 0 ? pair : pair.toReversed();
    const [changed, becomes] = await Promise.all([
      change(now, { bodies: { en: `It heals, ${round}.` } }),
      change(next, { is_default: true }),
    ]);
    // The other one has taken its place meanwhile, which is another version.
    expect([200, 412]).toContain(changed);
    expect(becomes).toBe(200);
  }
});
