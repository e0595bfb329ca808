import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { claimsOf, createTenant, openTransaction, register, tenantRows } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { createCase } from '../../support/cases.ts';

const app = await testApp();
const users = '/api/v1/mobile/users';

interface Profile {
  uuid: string;
  display_name: string;
  relation: string;
  external_id: string | null;
  version: number;
}
interface Profiles {
  profiles: Profile[];
}

const profiles = async (token: string) =>
  ((await (await app.request(`${users}/profiles`, { token })).json()) as Profiles).profiles;
const child = {
  given_name: 'Dan',
  birth_date: '2019-04-30',
  gender: 'male',
  relation: 'child',
  guardian_confirmed: true,
};
const add = (token: string, person: object = child, headers = {}) =>
  app.request(`${users}/offsprings`, { json: person, token, headers });
const patch = (path: string, token: string, json: object, headers: Record<string, string> = {}) =>
  app.request(path, { method: 'PATCH', json, token, headers });
const codeOf = async (reply: Response) => ((await reply.json()) as { code: string }).code;

/** An account whose own profile the clinic knows by an id. */
async function knownAccount() {
  const { access_token: token } = await register(app);
  const id = `M-${randomUUID()}`;
  const [self] = await profiles(token);
  await tenantRows(app, 'UPDATE patients SET external_id = $1 WHERE uuid = $2', [id, self?.uuid]);
  return { token, id };
}
const sync = (token: string, id: string, json: object) =>
  app.request(`${users}/offsprings-v2/${id}`, { json, token });

test('a patient has one profile from the start, staff have none', async () => {
  const { access_token: token } = await register(app);
  expect(await profiles(token)).toMatchObject([{ relation: 'self', version: 1, external_id: null }]);
  const physician = await register(app, { role: 'physician' });
  expect(await profiles(physician.access_token)).toEqual([]);
});

test('an account that older code registered gets its profile when it is first asked for', async () => {
  const { access_token: token } = await register(app);
  const [made] = await profiles(token);
  await tenantRows(app, 'DELETE FROM patients WHERE uuid = $1', [made?.uuid]);
  const found = await Promise.all([profiles(token), profiles(token), profiles(token)]);
  expect(new Set(found.map(([self]) => self?.uuid)).size).toBe(1);
  expect(found[0]).toMatchObject([{ relation: 'self' }]);
});

test('names become keys that a prefix finds, and keys of a former name are gone', async () => {
  const { access_token: token } = await register(app);
  const [self] = await profiles(token);
  const path = `${users}/profiles/${self?.uuid}`;
  const keys = async () =>
    (
      await tenantRows<{ key: string }>(
        app,
        `SELECT key FROM patient_name_keys JOIN patients ON id = patient_id WHERE uuid = $1 ORDER BY key`,
        [self?.uuid],
      )
    ).map(({ key }) => key);
  const first = await patch(path, token, { given_name: 'José', family_name: 'כהן', version: 1 });
  expect([first.status, first.headers.get('etag')]).toEqual([200, '"2"']);
  expect(await first.json()).toMatchObject({ display_name: 'José כהן', version: 2 });
  expect(await keys()).toEqual(['jose', 'כהנ']);
  await patch(path, token, { given_name: null }, { 'if-match': '"2"' });
  expect(await keys()).toEqual(['כהנ']);
  await patch(path, token, { birth_date: '1980-01-01' }, { 'if-match': '"3"' });
  expect(await keys()).toEqual(['כהנ']);
});

test('of two devices that edit one profile the later gets 412, and overwrites nothing', async () => {
  const { access_token: token } = await register(app);
  const [self] = await profiles(token);
  const edit = (name: string) =>
    patch(`${users}/profiles/${self?.uuid}`, token, { given_name: name }, { 'if-match': '"1"' });
  const replies = await Promise.all(['Ann', 'Ben', 'Cid', 'Dan'].map(edit));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412]);
  const winner = (await replies.find(({ status }) => status === 200)?.json()) as Profile;
  expect(await profiles(token)).toMatchObject([{ display_name: winner.display_name, version: 2 }]);
  expect(await replies.find(({ status }) => status === 412)?.json()).toMatchObject({ current_version: 2 });
});

test.each(['\u200B', '\u2060\u180E', '\u3164', '\u2800'])(
  'a name that shows as nothing, %j, is refused',
  async (name) => {
    const { access_token: token } = await register(app);
    const [self] = await profiles(token);
    const reply = await patch(`${users}/profiles/${self?.uuid}`, token, { given_name: name, version: 1 });
    expect(await reply.json()).toMatchObject({
      status: 400,
      errors: [{ pointer: '/given_name', message: 'Must have a visible character.' }],
    });
    // Joiners belong to names and to signs.
    const joined = { given_name: 'می\u200Cنا 👩\u200D🔬', version: 1 };
    expect((await patch(`${users}/profiles/${self?.uuid}`, token, joined)).status).toBe(200);
  },
);

test('the language of one’s own profile is that of the mails; that of a child is not', async () => {
  const { access_token: token, email } = await register(app);
  await add(token);
  const [self, dan] = await profiles(token);
  const language = async () =>
    (await tenantRows(app, 'SELECT language FROM users WHERE email = $1', [email]))[0]?.['language'];
  expect(await language()).toBe('en');
  await patch(`${users}/profiles/${dan?.uuid}`, token, { language: 'ar', version: 1 });
  expect(await language()).toBe('en');
  await patch(`${users}/profiles/${self?.uuid}`, token, { language: 'he', version: 1 });
  expect(await language()).toBe('he');
});

test('thirty children at once: twenty are added', async () => {
  const { access_token: token } = await register(app);
  const replies = await Promise.all(Array.from({ length: 30 }, () => add(token)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
  const refused = replies.filter(({ status }) => status !== 201);
  expect(new Set(await Promise.all(refused.map(codeOf)))).toEqual(new Set(['profile_limit']));
  expect(await profiles(token)).toHaveLength(21);
});

test('of lists at once that are too long together one is refused, as is one that is too long with what the account has', async () => {
  const { token, id } = await knownAccount();
  const listOf = (name: string, length: number) => ({
    profiles: Array.from({ length }, (_, at) => ({
      external_id: `${id}-${name}-${at}`,
      birth_date: '2019-04-30',
      gender: 'male',
      relation: 'child',
    })),
  });
  const held = await openTransaction(app);
  await held.run('SELECT FROM users WHERE uuid = $1 FOR UPDATE', [claimsOf(token).sub]);
  const both = ['a', 'b'].map((name) => sync(token, id, listOf(name, 12)));
  await held.awaited(2);
  await held.commit();
  const replies = await Promise.all(both);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await profiles(token)).toHaveLength(13);
  const long = await sync(token, id, listOf('c', 9));
  expect([long.status, await codeOf(long)]).toEqual([409, 'profile_limit']);
  expect((await sync(token, id, listOf('c', 8))).status).toBe(200);
});

test('a profile that the clinic lists no more cannot be changed, and gets no case', async () => {
  const { token, id } = await knownAccount();
  const person = {
    external_id: `${id}-dan`,
    birth_date: '2019-04-30',
    gender: 'male',
    relation: 'child',
  };
  await sync(token, id, { profiles: [person] });
  const uuid = (await profiles(token)).find(({ relation }) => relation === 'child')?.uuid ?? '';
  await sync(token, id, { profiles: [], deactivate_missing: true });
  const changed = await patch(`${users}/profiles/${uuid}`, token, { given_name: 'Dan', version: 2 });
  expect([changed.status, await codeOf(changed)]).toEqual([404, 'profile_not_found']);
  expect(await createCase(app, token, { patient_uuid: uuid })).toMatchObject({
    status: 404,
    code: 'patient_not_found',
  });
});

test('a retry with the same key adds no second child', async () => {
  const { access_token: token } = await register(app);
  const headers = { 'idempotency-key': 'one-child-only' };
  const first = await add(token, child, headers);
  const second = await add(token, child, headers);
  expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([
    201,
    201,
    'true',
  ]);
  expect(await second.json()).toEqual(await first.json());
  expect(await profiles(token)).toHaveLength(2);
});

test('a list of the clinic adds, changes, deactivates and brings back; sent again it changes nothing', async () => {
  const { token, id } = await knownAccount();
  const known = (name: string) => ({
    external_id: `${id}-${name}`,
    given_name: name,
    birth_date: '2019-04-30',
    gender: 'female',
    relation: 'child',
  });
  await add(token);
  const counts = async (json: object) => {
    const reply = await sync(token, id, json);
    const {
      created,
      updated,
      deactivated,
      profiles: left,
    } = (await reply.json()) as Profiles & Record<string, number>;
    return [created, updated, deactivated, left.map(({ display_name: name }) => name).toSorted()];
  };
  const both = { profiles: [known('ada'), known('bea')] };
  expect(await counts(both)).toEqual([2, 0, 0, ['Dan', id, 'ada', 'bea'].toSorted()]);
  expect(await counts(both)).toEqual([0, 0, 0, ['Dan', id, 'ada', 'bea'].toSorted()]);
  const one = { profiles: [{ ...known('ada'), birth_date: '2019-05-01' }] };
  expect(await counts(one)).toEqual([0, 1, 0, ['Dan', id, 'ada', 'bea'].toSorted()]);
  expect(await counts({ ...one, deactivate_missing: true })).toEqual([
    0,
    0,
    1,
    ['Dan', id, 'ada'].toSorted(),
  ]);
  expect(await counts(both)).toEqual([0, 2, 0, ['Dan', id, 'ada', 'bea'].toSorted()]);
  const again = await Promise.all([1, 2, 3].map(() => sync(token, id, both)));
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a list that is refused changes nothing', async () => {
  const { token, id } = await knownAccount();
  const other = await knownAccount();
  const person = (externalId: string) => ({
    external_id: externalId,
    birth_date: '2019-04-30',
    gender: 'female',
    relation: 'child',
  });
  await sync(other.token, other.id, { profiles: [person(`${id}-hers`)] });
  const refused = await sync(token, id, { profiles: [person(`${id}-mine`), person(`${id}-hers`)] });
  expect([refused.status, await codeOf(refused)]).toEqual([409, 'external_id_taken']);
  expect(await profiles(token)).toHaveLength(1);
  expect(await profiles(other.token)).toHaveLength(2);
  const self = await sync(token, id, { profiles: [person(id)] });
  expect([self.status, await codeOf(self)]).toEqual([409, 'external_id_taken']);
  expect(await profiles(token)).toMatchObject([{ relation: 'self', external_id: id, version: 1 }]);
});

test('lists that change each time end at a hundred profiles, the deactivated ones included; known people stay welcome', async () => {
  const { token, id } = await knownAccount();
  const person = { birth_date: '2019-04-30', gender: 'female', relation: 'child' };
  const listOf = (from: number) => ({
    profiles: Array.from({ length: 20 }, (_, at) => ({ ...person, external_id: `${id}-${from + at}` })),
    deactivate_missing: true,
  });
  for (const from of [0, 20, 40, 60, 80]) expect((await sync(token, id, listOf(from))).status).toBe(200);
  const more = await sync(token, id, listOf(100));
  expect([more.status, await codeOf(more)]).toEqual([409, 'profile_limit']);
  const back = await sync(token, id, listOf(0));
  expect(await back.json()).toMatchObject({ created: 0, updated: 20, deactivated: 20 });
  await sync(token, id, { profiles: [], deactivate_missing: true });
  expect(await profiles(token)).toHaveLength(1);
  const single = await add(token);
  expect([single.status, await codeOf(single)]).toEqual([409, 'profile_limit']);
});

test('another account, another tenant and staff get one and the same 404', async () => {
  const owner = await knownAccount();
  const [self] = await profiles(owner.token);
  await createTenant(app, 'profiles-elsewhere');
  const others = [
    await register(app),
    await register(app, { tenant: 'profiles-elsewhere' }),
    await register(app, { role: 'physician' }),
    await register(app, { role: 'admin' }),
  ];
  const strip = async (reply: Response) => ({
    ...((await reply.json()) as object),
    requestId: '',
    status: reply.status,
  });
  const unknown = await strip(
    await patch(`${users}/profiles/${randomUUID()}`, others[0]?.access_token ?? '', { version: 1 }),
  );
  expect(unknown).toMatchObject({ status: 404, code: 'profile_not_found' });
  for (const { access_token: token } of others) {
    const replies = [
      await patch(`${users}/profiles/${self?.uuid}`, token, { given_name: 'Eve', version: 1 }),
      await patch(`${users}/profiles/nonsense`, token, { given_name: 'Eve', version: 1 }),
      await sync(token, owner.id, { profiles: [] }),
      await sync(token, 'M-unknown', { profiles: [] }),
    ];
    for (const reply of replies) expect(await strip(reply)).toEqual(unknown);
  }
  const stranger = await register(app, { role: 'admin', tenant: 'profiles-elsewhere' });
  const foreign = await patch(`/api/v1/backoffice/patients/${self?.uuid}`, stranger.access_token, {
    version: 1,
  });
  expect([foreign.status, await codeOf(foreign)]).toEqual([404, 'patient_not_found']);
  expect(await profiles(owner.token)).toMatchObject([{ version: 1 }]);
});

test.each([
  '{"__proto__": {"given_name": "Eve"}}',
  '{"constructor": 1}',
  '{"id": 1}',
  '[]',
  '{"version": "1"}',
])('a body of %s is 400 for each owner of the profile', async (body) => {
  const { access_token: token } = await register(app);
  const reply = await app.request(`${users}/profiles/${randomUUID()}`, {
    method: 'PATCH',
    token,
    body,
    headers: { 'content-type': 'application/json', 'if-match': '"1"' },
  });
  expect(reply.status).toBe(400);
});

test('events of profiles have ids and codes, no name, birth date or external id', async () => {
  const { token, id } = await knownAccount();
  const [self] = await profiles(token);
  await patch(`${users}/profiles/${self?.uuid}`, token, {
    given_name: 'Marked-Name',
    birth_date: '1971-03-04',
    version: 1,
  });
  await sync(token, id, {
    profiles: [
      {
        external_id: `${id}-x`,
        given_name: 'Marked-Child',
        birth_date: '2011-03-04',
        gender: 'other',
        relation: 'ward',
      },
    ],
  });
  const { rows } = await app.db.query<{ text: string; action: string; patient_id: number }>(
    `SELECT action, patient_id, to_jsonb(e)::text AS text FROM event_logs_case e WHERE subject_uuid = $1 ORDER BY e.id`,
    [self?.uuid],
  );
  expect(rows.map(({ action }) => action)).toEqual(['profile_updated', 'profile_synced']);
  for (const { text, patient_id: patient } of rows) {
    expect(text).not.toMatch(/Marked|1971|2011|M-/);
    expect(patient).not.toBeNull();
  }
  expect(app.output.join('\n')).not.toMatch(/Marked|1971-03|2011-03/);
});

test('the trail of each person has what a synchronisation has changed about that one, and nothing where nothing changed', async () => {
  const { token, id } = await knownAccount();
  const child = {
    external_id: `${id}-c`,
    given_name: 'Marked-Child',
    birth_date: '2011-03-04',
    gender: 'other',
    relation: 'ward',
  };
  const list = { profiles: [child] };
  await sync(token, id, list);
  await sync(token, id, list);
  await sync(token, id, { profiles: [{ ...child, birth_date: '2012-03-04' }] });
  const { uuid } = (await profiles(token)).find(({ relation }) => relation === 'ward') ?? {};
  await sync(token, id, { profiles: [], deactivate_missing: true });
  const rows = await tenantRows(
    app,
    `SELECT e.action, e.detail, u.uuid = $2 AS is_own FROM event_logs e JOIN patients p ON p.id = e.patient_id
     JOIN users u ON u.id = e.actor_user_id WHERE p.uuid = $1 AND e.subject_uuid = p.uuid ORDER BY e.id`,
    [uuid, claimsOf(token).sub],
  );
  const changes = ['created', 'updated', 'deactivated'];
  expect(rows).toEqual(
    changes.map((change) => ({ action: 'profile_synced', detail: { change }, is_own: true })),
  );
});
