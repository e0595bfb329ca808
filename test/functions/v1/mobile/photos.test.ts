import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTenant, openTransaction, register, tenantRows } from '../../../support/accounts.ts';
import { anotherInstance } from '../../../support/another-instance.ts';
import { testApp } from '../../../support/app.ts';
import { actOnCase, type CaseAnswer, createCase, getCase, updateCase } from '../../../support/cases.ts';
import { upload } from '../../../support/diagnosis.ts';
import { skinPhoto } from '../../../support/images.ts';
import { blobNames, photoPart } from '../../../support/stored-images.ts';

// Photos of cases: stored and attached in one request, judged where that is asked for, read by those who may, deleted.

const app = await testApp();
await createTenant(app, 'elsewhere');
const [owner, other, physician, admin, foreignAdmin] = await Promise.all([
  register(app),
  register(app),
  register(app, { role: 'physician' }),
  register(app, { role: 'admin' }),
  register(app, { role: 'admin', tenant: 'elsewhere' }),
]);
const token = owner.access_token;
let width = 200;
const freshPhoto = () => skinPhoto({ width: (width += 1), height: 150, format: 'jpeg' });

interface Uploaded {
  status: number;
  code?: string;
  errors?: { pointer: string }[];
  images: {
    uuid: string;
    name: string;
    path: string;
    thumbnail_path: string;
    kind: string | null;
    quality: unknown;
  }[];
}

async function send(fields: Record<string, string>, photos = 1, as = token): Promise<Uploaded> {
  const files = await Promise.all(Array.from({ length: photos }, freshPhoto));
  const parts = [
    ...files.map((photo) => photoPart(photo)),
    ...Object.entries(fields).map(([name, body]) => ({ name, body })),
  ];
  const reply = await app.request('/api/v1/mobile/images/upload', upload(parts, { token: as }));
  return { status: reply.status, ...((await reply.json()) as Omit<Uploaded, 'status'>) };
}

const read = async (path: string, as: string) =>
  (await app.request(`/api/v1/images/${path}`, { token: as })).status;
const remove = async (name: string, as = token) => {
  const reply = await app.request(`/api/v1/mobile/images/${name}`, { method: 'DELETE', token: as });
  return [reply.status, reply.status === 204 ? undefined : ((await reply.json()) as { code: string }).code];
};
function onlyOf<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined || items.length > 1) throw new Error('not exactly one');
  return item;
}

const submitted = (uuid: string) =>
  tenantRows(app, 'UPDATE request_records SET submitted_at = now() WHERE uuid = $1', [uuid]);

test('photos are stored and added to a case behind those that it has, and its version grows', async () => {
  const { uuid } = await createCase(app, token);
  const first = await send({ case_uuid: uuid, kind: 'close_up', location_index: '0' }, 2);
  expect(first).toMatchObject({
    status: 201,
    images: [{ kind: 'close_up', quality: null }, { kind: 'close_up' }],
  });
  const second = await send({ case_uuid: uuid });
  const found = await getCase(app, token, uuid);
  expect(found.version).toBe(3);
  expect(found.images.map((image) => image.uuid)).toEqual(
    [...first.images, ...second.images].map((image) => image.uuid),
  );
});

test('a client that sends a photo again with what it shows corrects the case, and the reply is what the case stores', async () => {
  const { uuid } = await createCase(app, token);
  const photo = photoPart(await freshPhoto());
  const again = async (fields: Record<string, string>) => {
    const parts = Object.entries({ case_uuid: uuid, ...fields }).map(([name, body]) => ({ name, body }));
    const reply = await app.request('/api/v1/mobile/images/upload', upload([photo, ...parts], { token }));
    const { images } = (await reply.json()) as Uploaded;
    const found = await getCase(app, token, uuid);
    expect(images).toEqual(found.images);
    return { version: found.version, image: found.images[0] };
  };
  const stated = (kind: string | null, place: number | null) => ({ kind, location_index: place });
  expect((await again({})).image).toMatchObject(stated(null, null));
  const labelled = await again({ kind: 'close_up', location_index: '0' });
  expect(labelled).toMatchObject({ version: 3, image: stated('close_up', 0) });
  // What is not sent stays, and what is the same is no change.
  for (const fields of [{}, { kind: 'close_up' }]) expect(await again(fields)).toEqual(labelled);
  expect((await again({ location_index: '1' })).image).toMatchObject(stated('close_up', 1));
});

test.each(['', ' 2', '0x1', '1e0', '01', '1.5', '-1', '999'])(
  'an index of the place that is not one, %j, is a wrong field: the photo is not labelled with another',
  async (index) => {
    const { uuid } = await createCase(app, token);
    expect(await send({ case_uuid: uuid, location_index: index })).toMatchObject({
      status: 400,
      errors: [{ pointer: '/location_index' }],
    });
    expect((await getCase(app, token, uuid)).images).toEqual([]);
  },
);

test.each([
  ['mobile/images/upload', { check_quality: 'true' }],
  ['images/upload', {}],
])(
  '%s: a retry after the case was submitted gets the first reply, and asks the AI service nothing',
  async (route, more) => {
    const { uuid } = await createCase(app, token);
    const photo = photoPart(await freshPhoto());
    const fields = Object.entries({ case_uuid: uuid, ...more });
    const parts = [photo, ...fields.map(([name, body]) => ({ name, body }))];
    const again = async (name: string, sent = parts) => {
      const headers = { 'idempotency-key': `photo-${name}-${uuid.slice(0, 8)}` };
      const reply = await app.request(`/api/v1/${route}`, upload(sent, { token, headers }));
      const body = (await reply.json()) as Uploaded;
      return { status: reply.status, replayed: reply.headers.get('idempotency-replayed'), body };
    };
    const first = await again('one');
    expect(first).toMatchObject({
      status: 201,
      replayed: null,
      body: { images: [{ quality: route.startsWith('mobile') ? {} : null }] },
    });
    await submitted(uuid);
    await tenantRows(app, `UPDATE request_records SET status = 'submitted' WHERE uuid = $1`, [uuid]);
    app.ai.on('image_validity', (_call, response) => void response.writeHead(500).end());
    expect(await again('one')).toEqual({ ...first, replayed: 'true' });
    app.ai.reset();
    const stored = await blobNames(app);
    expect(await again('two')).toMatchObject({ status: 409, body: { code: 'case_state_conflict' } });
    expect(await blobNames(app)).toEqual(stored);
    // The same photo for another case is another request.
    const other = await createCase(app, token);
    const forOther = [photo, { name: 'case_uuid', body: other.uuid }, ...parts.slice(2)];
    expect(await again('one', forOther)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
    await actOnCase(app, token, other.uuid, { action: 'cancel' });
  },
);

test('the AI service judges them where that is asked for, and the case remembers it', async () => {
  const { uuid } = await createCase(app, token);
  const judged = await send({ case_uuid: uuid, check_quality: 'true' });
  expect(judged).toMatchObject({ status: 201, images: [{ quality: { isValid: true } }] });
  expect((await getCase(app, token, uuid)).images).toMatchObject([{ quality: { isValid: true } }]);
});

test('the uploading client waits for all verdicts for eight seconds at most, however patient the gateway is otherwise', async () => {
  const patient = await anotherInstance(app, { AI_TIMEOUT_MS: '120000' });
  const { uuid } = await createCase(app, token);
  app.ai.reset();
  const parts = [
    ...(await Promise.all([freshPhoto(), freshPhoto()])).map((photo) => photoPart(photo)),
    { name: 'case_uuid', body: uuid },
    { name: 'check_quality', body: 'true' },
  ];
  const reply = await patient.request('/api/v1/mobile/images/upload', upload(parts, { token }));
  expect(reply.status).toBe(201);
  const limits = app.ai.calls.map(({ headers }) => Number(headers['x-deadline-ms']));
  expect(limits).toHaveLength(2);
  for (const limit of limits) expect(limit).toBeLessThanOrEqual(8000);
});

test('they are stored without a verdict while the AI service is away', async () => {
  app.ai.on('image_validity', (_call, response) => void response.writeHead(500).end());
  const { uuid } = await createCase(app, token);
  expect(await send({ case_uuid: uuid, check_quality: 'true' })).toMatchObject({
    status: 201,
    images: [{ quality: null }],
  });
  app.ai.reset();
});

test('a case of another account, one that has gone on, an eleventh photo: nothing is added', async () => {
  const { uuid } = await createCase(app, token);
  expect(await send({ case_uuid: uuid }, 1, other.access_token)).toMatchObject({
    status: 404,
    code: 'case_not_found',
  });
  expect(await send({ case_uuid: 'no-uuid' })).toMatchObject({ status: 404, code: 'case_not_found' });
  expect(await send({ case_uuid: uuid, kind: 'selfie' })).toMatchObject({
    status: 400,
    errors: [{ pointer: '/kind' }],
  });
  await send({ case_uuid: uuid }, 10);
  expect(await send({ case_uuid: uuid })).toMatchObject({ status: 400, errors: [{ pointer: '/images' }] });
  expect((await getCase(app, token, uuid)).images).toHaveLength(10);
  await actOnCase(app, token, uuid, { action: 'cancel' });
  expect(await send({ case_uuid: uuid })).toMatchObject({ status: 409, code: 'case_state_conflict' });
});

test('a photo is read by its owner, and by staff who may see a case that it is in', async () => {
  const { uuid } = await createCase(app, token);
  const { images } = await send({ case_uuid: uuid });
  const { path, thumbnail_path: small } = onlyOf(images);
  for (const each of [path, small]) {
    expect(await read(each, token)).toBe(200);
    // A draft is seen by its account only.
    for (const { access_token: stranger } of [other, physician, admin, foreignAdmin])
      expect(await read(each, stranger)).toBe(404);
  }
  for (const wrong of [
    path.replace('.jpg', '.png'),
    `${path}/thumbnail.jpg`,
    `x/${path}`,
    randomUUID(),
    '%2e%2e/x',
  ])
    expect([wrong, await read(wrong, token)]).toEqual([wrong, 404]);
  await submitted(uuid);
  expect(await read(path, admin.access_token)).toBe(200);
  expect(await read(path, physician.access_token)).toBe(404);
  await tenantRows(
    app,
    `UPDATE request_records SET status = 'queued', lane_pool = 'general', lane_language = 'any', triage_rank = 2,
       due_at = now() WHERE uuid = $1`,
    [uuid],
  );
  expect(await read(path, physician.access_token)).toBe(200);
  for (const { access_token: stranger } of [other, foreignAdmin])
    expect(await read(path, stranger)).toBe(404);
  const rows = await tenantRows(
    app,
    `SELECT FROM event_logs WHERE action = 'image_read' AND outcome = 'success'`,
  );
  expect(rows).toHaveLength(2);
});

test('a photo is deleted with its blob, from drafts as well, and once more without harm', async () => {
  const { uuid } = await createCase(app, token);
  const { name } = onlyOf((await send({ case_uuid: uuid })).images);
  const blobs = (await blobNames(app)).length;
  expect(await remove(name, other.access_token)).toEqual([404, 'image_not_found']);
  expect(await remove(name)).toEqual([204, undefined]);
  expect(await remove(name)).toEqual([204, undefined]);
  expect((await blobNames(app)).length).toBe(blobs - 1);
  expect((await getCase(app, token, uuid)).images).toEqual([]);
  for (const missing of [randomUUID(), 'name', '..%2f'])
    expect(await remove(missing)).toEqual([404, 'image_not_found']);
});

test('deleting a photo raises the version of its draft: an edit by a device that still shows it is refused', async () => {
  const { uuid } = await createCase(app, token);
  const { name } = onlyOf((await send({ case_uuid: uuid })).images);
  const { version } = await getCase(app, token, uuid);
  expect(await remove(name)).toEqual([204, undefined]);
  const stale = await updateCase(app, token, { uuid, version, anamnesis: {} });
  expect(stale).toMatchObject({ status: 412, code: 'version_conflict', current_version: version + 1 });
  const events = await tenantRows<{ action: string; detail: object }>(
    app,
    'SELECT action, detail FROM event_logs WHERE case_uuid = $1 ORDER BY at DESC, id DESC LIMIT 1',
    [uuid],
  );
  expect(events).toMatchObject([{ action: 'case_updated', detail: { version: version + 1, photos: 0 } }]);
  const { version: current } = await getCase(app, token, uuid);
  expect((await updateCase(app, token, { uuid, version: current, anamnesis: {} })).status).toBe(200);
});

test('deleting a photo of a cancelled draft leaves the case as it was', async () => {
  const { uuid } = await createCase(app, token);
  const { name } = onlyOf((await send({ case_uuid: uuid })).images);
  const { version } = await actOnCase(app, token, uuid, { action: 'cancel' });
  expect(await remove(name)).toEqual([204, undefined]);
  expect(await getCase(app, token, uuid)).toMatchObject({ version, patient_status: 'cancelled', images: [] });
});

test('a photo of a submitted case stays', async () => {
  const { uuid } = await createCase(app, token);
  const { name } = onlyOf((await send({ case_uuid: uuid })).images);
  await submitted(uuid);
  expect(await remove(name)).toEqual([409, 'image_in_use']);
  expect((await getCase(app, token, uuid)).images).toHaveLength(1);
});

test.each([
  ['an earlier edit', false],
  ['the edit that submits it', true],
])(
  'a photo taken off a draft by %s is no part of the case: staff neither read nor find it, its owner deletes it',
  async (_which, inOne) => {
    const consent = { version: '1', accepted: true };
    const { uuid } = await createCase(app, token);
    const images = (await send({ case_uuid: uuid }, 2)).images as (Uploaded['images'][number] & {
      sha256: string;
    })[];
    const [wrong, right] = images;
    const { version } = await getCase(app, token, uuid);
    const edit = { uuid, version, images: [{ name: right?.name }], consent, submit: inOne };
    expect(await updateCase(app, token, edit)).toMatchObject({ status: 200 });
    if (!inOne) expect((await actOnCase(app, token, uuid, { action: 'submit', consent })).status).toBe(200);
    const find = async (hash = '') => {
      const found = await app.request(`/api/v1/backoffice/images?hash=${hash}`, {
        token: admin.access_token,
      });
      return ((await found.json()) as { items: { uuid: string }[] }).items.map((item) => item.uuid);
    };
    expect(await read(right?.path ?? '', admin.access_token)).toBe(200);
    expect(await find(right?.sha256)).toEqual([right?.uuid]);
    for (const each of [wrong?.path, wrong?.thumbnail_path])
      expect(await read(each ?? '', admin.access_token)).toBe(404);
    expect(await find(wrong?.sha256)).toEqual([]);
    expect(await remove(wrong?.name ?? '')).toEqual([204, undefined]);
    expect(await remove(right?.name ?? '')).toEqual([409, 'image_in_use']);
  },
);

test('a photo taken off a case after its submission stays, and staff read and find it', async () => {
  const { uuid } = await createCase(app, token);
  const { name, path } = onlyOf((await send({ case_uuid: uuid })).images);
  await submitted(uuid);
  await tenantRows(
    app,
    `UPDATE case_images SET removed_at = r.submitted_at + interval '1 ms' FROM request_records r
     WHERE r.uuid = case_uuid AND case_uuid = $1`,
    [uuid],
  );
  expect(await read(path, admin.access_token)).toBe(200);
  expect(await remove(name)).toEqual([409, 'image_in_use']);
});

test('deleted and submitted at once: the case has its photo, or is not submitted', async () => {
  const consent = { version: '1', accepted: true };
  for (let round = 0; round < 5; round += 1) {
    const { uuid } = await createCase(app, token);
    const { name } = onlyOf((await send({ case_uuid: uuid })).images);
    const [deleted, acted]: [unknown, CaseAnswer] = await Promise.all([
      remove(name),
      actOnCase(app, token, uuid, { action: 'submit', consent }),
    ]);
    if (acted.status === 200) expect(deleted).toEqual([409, 'image_in_use']);
    else expect([acted.status, acted.code, deleted]).toEqual([422, 'case_incomplete', [204, undefined]]);
    await actOnCase(app, token, uuid, { action: 'cancel' });
  }
});

test('a photo that is deleted at this moment becomes no photo of a case', async () => {
  const { uuid, name } = onlyOf((await send({})).images);
  const deleting = await openTransaction(app);
  await deleting.run('UPDATE images SET deleted_at = now() WHERE uuid = $1', [uuid]);
  const creating = createCase(app, token, { images: [{ name }] });
  await deleting.awaited();
  await deleting.commit();
  expect(await creating).toMatchObject({ status: 404, code: 'image_not_found' });
});

test('deleted while it is uploaded again: the case has a photo that can be read', async () => {
  const [again, beside] = [await freshPhoto(), await freshPhoto()];
  const put = async (fields: Record<string, string>, photos: Buffer[]) => {
    const parts = [
      ...photos.map((photo) => photoPart(photo)),
      ...Object.entries(fields).map(([name, body]) => ({ name, body })),
    ];
    const reply = await app.request('/api/v1/mobile/images/upload', upload(parts, { token }));
    return { status: reply.status, ...((await reply.json()) as Pick<Uploaded, 'images'>) };
  };
  const earlier = onlyOf((await put({}, [again])).images);
  const third = onlyOf((await send({})).images);
  const { uuid } = await createCase(app, token);
  // The upload waits to make the other photo visible, once it has found this one as stored.
  const open = await openTransaction(app);
  const hash = createHash('sha256').update(beside).digest();
  await open.run('UPDATE images SET sha256 = $2 WHERE uuid = $1', [third.uuid, hash]);
  const uploading = put({ case_uuid: uuid }, [again, beside]);
  await open.awaited();
  expect(await remove(earlier.name)).toEqual([204, undefined]);
  await open.rollback();
  expect((await uploading).status).toBe(201);
  const { images } = (await getCase(app, token, uuid)) as CaseAnswer & { images: { path: string }[] };
  expect(images).toHaveLength(2);
  for (const { path } of images) expect(await read(path, token)).toBe(200);
});

test('a photo added after one was deleted is the last', async () => {
  const { uuid } = await createCase(app, token);
  const before = (await send({ case_uuid: uuid }, 3)).images.map((image) => image.uuid);
  expect(await remove(before[0] ?? '')).toEqual([204, undefined]);
  const { images } = await send({ case_uuid: uuid });
  const { images: shown } = (await getCase(app, token, uuid)) as CaseAnswer & { images: { uuid: string }[] };
  expect(shown.map((image) => image.uuid)).toEqual([...before.slice(1), onlyOf(images).uuid]);
});
