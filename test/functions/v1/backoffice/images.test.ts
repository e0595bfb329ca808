import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTenant, register, tenantRows } from '../../../support/accounts.ts';
import { testApp } from '../../../support/app.ts';
import { skinPhoto } from '../../../support/images.ts';
import { newPhysician } from '../../../support/queue-stage.ts';
import { storePhoto } from '../../../support/stored-images.ts';
import { waitingCase } from '../../../support/waiting-case.ts';

// Photos for staff: the same photo in other patients, and its bytes.

const app = await testApp();
await createTenant(app, 'images-elsewhere');
const [noa, dan, me, colleague, admin, foreign] = await Promise.all([
  register(app),
  register(app),
  newPhysician(app),
  newPhysician(app, { adminSettings: { general_pool: false } }),
  register(app, { role: 'admin' }),
  register(app, { role: 'admin', tenant: 'images-elsewhere' }),
]);
const photo = await skinPhoto({ width: 200, height: 150, format: 'jpeg' });
const [ofNoa, ofDan] = await Promise.all([
  storePhoto(app, noa.access_token, photo),
  storePhoto(app, dan.access_token, photo),
]);
const hash = ofNoa.sha256;
const withPhoto = { images: [{ name: ofNoa.uuid, kind: 'close_up', location_index: 0 }] };
const first = await waitingCase(app, noa.access_token, withPhoto);
const second = await waitingCase(app, noa.access_token, { images: [{ name: ofNoa.uuid }] });

interface Match {
  uuid: string;
  name: string;
  kind: string | null;
  owner: { uuid: string; relation: string; display_name: string | null } | null;
  cases: { uuid: string; thumbnail_path: string; patient: { display_name: string | null } }[];
}

async function search(token: string, query: Record<string, string>): Promise<Match[]> {
  const reply = await app.request(`/api/v1/backoffice/images?${new URLSearchParams(query).toString()}`, {
    token,
  });
  expect(reply.status).toBe(200);
  return ((await reply.json()) as { items: Match[] }).items;
}

const get = (token: string, id: string, query = '', headers: Record<string, string> = {}) =>
  app.request(`/api/v1/backoffice/images/${id}${query}`, { token, headers });

test('a photo is found by its hash with its owner and the cases that the caller may see, the newest first', async () => {
  const [match, ...others] = await search(me.token, { hash });
  expect(others).toEqual([]);
  expect(match).toMatchObject({ uuid: ofNoa.uuid, sha256: hash, owner: { relation: 'self' } });
  expect(match?.cases.map(({ uuid }) => uuid)).toEqual([second.uuid, first.uuid]);
  expect(match?.kind).toBeNull();
  expect(await search(me.token, { hash: hash.toUpperCase() })).toHaveLength(1);
  // The same bytes of another patient, from the day on which they are in a case that the caller may see.
  const third = await waitingCase(app, dan.access_token, { images: [{ name: ofDan.uuid }] });
  const both = await search(me.token, { hash });
  expect(both.map(({ uuid }) => uuid).toSorted()).toEqual([ofNoa.uuid, ofDan.uuid].toSorted());
  expect(both.find(({ uuid }) => uuid === ofDan.uuid)?.cases.map(({ uuid }) => uuid)).toEqual([third.uuid]);
  expect(new Set(both.map(({ owner }) => owner?.uuid)).size).toBe(2);
  expect(await search(me.token, { hash, limit: '1' })).toHaveLength(1);
});

test('of a case that only waits a physician reads no name, neither its patient’s nor the owner’s', async () => {
  const names = async (who: string) =>
    (await search(who, { hash })).map(({ owner, cases }) => [
      owner?.display_name,
      ...new Set(cases.map(({ patient }) => patient.display_name)),
    ]);
  const named = [expect.any(String), expect.any(String)] as const;
  expect(await names(admin.access_token)).toEqual([named, named]);
  expect(await names(me.token)).toEqual([
    [null, null],
    [null, null],
  ]);
  const claim = { json: { action: 'claim', version: 1 }, token: me.token };
  const path = `/api/v1/backoffice/cases/${first.uuid}/status`;
  expect((await app.request(path, claim)).status).toBe(200);
  const match = (await search(me.token, { hash })).find(({ uuid }) => uuid === ofNoa.uuid);
  expect(match?.owner?.display_name).toEqual(expect.any(String));
  expect(match?.cases.map(({ patient }) => patient.display_name)).toEqual([null, expect.any(String)]);
  const release = { json: { action: 'release', reason: 'other', version: 2 }, token: me.token };
  expect((await app.request(path, release)).status).toBe(200);
});

test('who may see no case with it finds nothing', async () => {
  expect(await search(colleague.token, { hash })).toEqual([]);
  expect(await search(foreign.access_token, { hash })).toEqual([]);
  expect(await search(me.token, { hash: '0'.repeat(64) })).toEqual([]);
  expect(await search(admin.access_token, { hash })).toHaveLength(2);
  const rows = await tenantRows<{ detail: unknown; all: string }>(
    app,
    `SELECT detail, to_jsonb(e)::text AS all FROM event_logs e WHERE action = 'image_searched' AND outcome = 'success'
     ORDER BY id LIMIT 1`,
  );
  expect(rows[0]?.detail).toEqual({ images: [ofNoa.uuid] });
  expect(rows[0]?.all).not.toContain(hash);
});

test('an account that is erased leaves its photo without an owner', async () => {
  await tenantRows(app, 'UPDATE images SET owner_user_id = NULL WHERE uuid = $1', [ofDan.uuid]);
  const found = await search(me.token, { hash });
  expect(found.find(({ uuid }) => uuid === ofDan.uuid)?.owner).toBeNull();
});

test('its bytes are read by UUID, by name and by the path in lists, and each read is recorded', async () => {
  for (const id of [ofNoa.uuid, `${ofNoa.uuid}.jpg`]) {
    const reply = await get(me.token, id);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(reply.headers.get('etag')).toBe(`"${hash}"`);
  }
  const [match] = await search(admin.access_token, { hash });
  const thumbnail = await get(admin.access_token, match?.cases[0]?.thumbnail_path ?? '');
  expect(thumbnail.headers.get('content-disposition')).toContain('-thumbnail.jpg');
  expect((await get(me.token, ofNoa.uuid, '', { range: 'bytes=0-9' })).status).toBe(206);
  expect((await get(me.token, ofNoa.uuid, '', { 'if-none-match': `"${hash}"` })).status).toBe(304);
  const events = await tenantRows(
    app,
    `SELECT FROM event_logs WHERE action = 'image_read' AND outcome = 'success' AND subject_uuid = $1`,
    [ofNoa.uuid],
  );
  expect(events.length).toBeGreaterThanOrEqual(4);
});

test('for others, under another name and without a case it does not exist', async () => {
  const loose = await storePhoto(
    app,
    noa.access_token,
    await skinPhoto({ width: 210, height: 150, format: 'jpeg' }),
  );
  const missing: [token: string, id: string][] = [
    [colleague.token, ofNoa.uuid],
    [foreign.access_token, ofNoa.uuid],
    [me.token, `${ofNoa.uuid}.png`],
    [me.token, `${ofNoa.uuid}.jpg.jpg`],
    [me.token, loose.uuid],
    [me.token, randomUUID()],
    [me.token, 'photo'],
  ];
  for (const [token, id] of missing) {
    const reply = await get(token, id);
    expect([id, reply.status, ((await reply.json()) as { code: string }).code]).toEqual([
      id,
      404,
      'image_not_found',
    ]);
  }
});
