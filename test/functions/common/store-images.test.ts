import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTenant, register, tenantRows } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { decodePixels } from '../../support/decode-pixels.ts';
import { blankPng, skinPhoto, withExifOrientation } from '../../support/images.ts';
import { phonePhotos, screenshot } from '../../support/phone-photos.ts';
import { blobNames, photoPart, storeImages, storePhoto } from '../../support/stored-images.ts';

// POST /api/common/store_images, on a real PostgreSQL and a real blob emulator.

const app = await testApp();
const alice = await register(app);
const bob = await register(app);
const token = alice.access_token;
let seed = 100;
const photo = (format: 'jpeg' | 'png' = 'jpeg') =>
  skinPhoto({ width: 96, height: 72, seed: (seed += 1), format });

async function download(path: string, as = token): Promise<Buffer> {
  const reply = await app.request(path, { token: as });
  expect(reply.status).toBe(200);
  return Buffer.from(await reply.arrayBuffer());
}

const rows = () => tenantRows<{ state: string }>(app, `SELECT state, uuid, blob_name FROM images`);

test('stores photos in the order sent and describes the stored bytes', async () => {
  const photos = [await photo('png'), await photo('jpeg'), await photo('png')];
  const { status, images } = await storeImages(app, token, photos);
  expect(status).toBe(201);
  expect(images.map(({ contentType }) => contentType)).toEqual(['image/png', 'image/jpeg', 'image/png']);
  for (const image of images) {
    expect(image).toMatchObject({ widthPx: 96, heightPx: 72, orientation: 1 });
    expect(image.url).toBe(`/api/common/images/${image.uuid}`);
    const stored = await download(image.url);
    expect(stored.byteLength).toBe(image.sizeBytes);
    expect(createHash('sha256').update(stored).digest('hex')).toBe(image.sha256);
  }
});

describe('metadata of phones is removed, the picture is untouched', async () => {
  const jpeg = await skinPhoto({ width: 160, height: 120, seed: 1, format: 'jpeg' });
  const thumbnail = await skinPhoto({ width: 32, height: 24, seed: 2, format: 'jpeg' });
  const png = await skinPhoto({ width: 80, height: 60, seed: 3 });
  test.each([...phonePhotos(jpeg, thumbnail), screenshot(png)].map((each) => [each.name, each] as const))(
    '%s',
    async (_name, { file, orientation, icc, secrets }) => {
      const image = await storePhoto(app, token, file);
      expect(image.orientation).toBe(orientation);
      const stored = await download(image.url);
      for (const secret of secrets) expect(stored.includes(secret)).toBe(false);
      if (icc !== undefined && file[0] === 0xff) expect(stored.includes(icc.subarray(0, 60_000))).toBe(true);
      expect(await decodePixels(stored)).toEqual(await decodePixels(file));
    },
  );
});

test('the orientation stays, as a number and in the file', async () => {
  const image = await storePhoto(app, token, withExifOrientation(await photo(), 6));
  expect(image).toMatchObject({ orientation: 6, widthPx: 96, heightPx: 72 });
  const stored = await download(image.url);
  expect(await decodePixels(stored, { upright: true })).toMatchObject({ width: 72, height: 96 });
});

test('blob names reveal neither the image nor its owner', async () => {
  const image = await storePhoto(app, token, await photo());
  const names = await blobNames(app);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{48}$/);
  expect(names.join()).not.toContain(image.uuid.replaceAll('-', ''));
});

describe('the same bytes of one owner are stored once', () => {
  test('also within one request', async () => {
    const same = await photo();
    const before = (await blobNames(app)).length;
    const first = await storeImages(app, token, [same, same]);
    const again = await storePhoto(app, token, same);
    expect(first.images[0]?.uuid).toBe(first.images[1]?.uuid);
    expect(again.uuid).toBe(first.images[0]?.uuid);
    expect((await blobNames(app)).length).toBe(before + 1);
  });

  test('also when they are sent at the same time', async () => {
    // A caller has one photo decoded and nine that wait: an eleventh could be 429.
    const same = await photo();
    const answers = await Promise.all(Array.from({ length: 3 }, () => storeImages(app, token, [same])));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ images }) => images[0]?.uuid)).size).toBe(1);
    const { sha256 } = answers[0]?.images[0] ?? {};
    const stored = await tenantRows(app, `SELECT state FROM images WHERE sha256 = decode($1, 'hex')`, [
      sha256,
    ]);
    expect(stored).toEqual([{ state: 'stored' }]);
  });

  test('but each owner has a copy', async () => {
    const same = await photo();
    const mine = await storePhoto(app, token, same);
    const theirs = await storePhoto(app, bob.access_token, same);
    expect(theirs.uuid).not.toBe(mine.uuid);
  });
});

describe('a retry with the same Idempotency-Key', () => {
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

  test('gets the first reply, marked as replayed', async () => {
    const photos = [await photo(), await photo()];
    const first = await storeImages(app, token, photos, withKey('retry-0001'));
    const second = await storeImages(app, token, photos, withKey('retry-0001'));
    expect(first).toMatchObject({ status: 201, replayed: false });
    expect(second).toEqual({ ...first, replayed: true });
  });

  test('at the same time gets the reply or has to wait; nothing is stored twice', async () => {
    const photos = [await photo()];
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => storeImages(app, token, photos, withKey('retry-0002'))),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    const stored = answers.filter(({ status }) => status === 201).map(({ images }) => images[0]?.uuid);
    expect(new Set(stored).size).toBe(1);
  });

  test('with other photos is 409', async () => {
    await storeImages(app, token, [await photo()], withKey('retry-0003'));
    const other = await storeImages(app, token, [await photo()], withKey('retry-0003'));
    expect(other).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
  });

  test('after a refusal is a first try', async () => {
    const refused = await storeImages(app, token, [Buffer.from('no image')], withKey('retry-0004'));
    expect(refused.status).toBe(400);
    const accepted = await storeImages(app, token, [await photo()], withKey('retry-0004'));
    expect(accepted).toMatchObject({ status: 201, replayed: false });
  });

  test('of another user is independent', async () => {
    const photos = [await photo()];
    const mine = await storeImages(app, token, photos, withKey('retry-0005'));
    const theirs = await storeImages(app, bob.access_token, photos, withKey('retry-0005'));
    expect(theirs.replayed).toBe(false);
    expect(theirs.images[0]?.uuid).not.toBe(mine.images[0]?.uuid);
  });

  test.each(['short', 'x'.repeat(65), 'with space!'])('malformed as %o is refused', async (key) => {
    const answer = await storeImages(app, token, [await photo()], withKey(key));
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
  });
});

describe('all or none', () => {
  test('one bad file among good ones: nothing is stored', async () => {
    const before = [await blobNames(app), (await rows()).length];
    const answer = await storeImages(app, token, [await photo(), Buffer.from('GIF89a'), await photo()]);
    expect(answer).toMatchObject({ status: 400, code: 'invalid_image' });
    expect(answer.errors).toMatchObject([{ pointer: '/images/1' }]);
    expect([await blobNames(app), (await rows()).length]).toEqual(before);
  });
});

describe('refuses', async () => {
  const jpeg = await photo('jpeg');
  const png = await photo('png');
  const html = Buffer.from('<!doctype html><script>alert(1)</script>');

  test.each([
    ['zero bytes', Buffer.alloc(0)],
    ['HTML with the name of a JPEG', html],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a HEIC', Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic')])],
    ['a ZIP', Buffer.from('PK\u0003\u0004rest')],
    ['a truncated JPEG', jpeg.subarray(0, jpeg.byteLength - 40)],
    ['a truncated PNG', png.subarray(0, png.byteLength - 20)],
  ])('%s: 400 invalid_image', async (_name, file) => {
    const answer = await storeImages(app, token, [photoPart(file, { type: 'image/jpeg' })]);
    expect(answer).toMatchObject({ status: 400, code: 'invalid_image' });
  });

  test('a 200-megapixel bomb of a few kilobytes: 413, undecoded', async () => {
    const bomb = blankPng(20_000, 10_000);
    expect(bomb.byteLength).toBeLessThan(1_000_000);
    expect(await storeImages(app, token, [bomb])).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  test('a file over 15 MB, and files over 20 MB together: 413', async () => {
    const big = Buffer.concat([jpeg, Buffer.alloc(15 * 1024 * 1024)]);
    expect(await storeImages(app, token, [big])).toMatchObject({ status: 413 });
    const parts = Array.from({ length: 3 }, () => Buffer.concat([jpeg, Buffer.alloc(7 * 1024 * 1024)]));
    expect(await storeImages(app, token, parts)).toMatchObject({ status: 413 });
  });

  test('11 files, none, another field name, a text field: 400 invalid_multipart', async () => {
    const eleven = Array.from({ length: 11 }, () => jpeg);
    const refused = { status: 400, code: 'invalid_multipart' };
    expect(await storeImages(app, token, eleven)).toMatchObject(refused);
    expect(await storeImages(app, token, [])).toMatchObject(refused);
    expect(await storeImages(app, token, [photoPart(jpeg, { name: 'image' })])).toMatchObject(refused);
    const withText = [photoPart(jpeg), { name: 'note', body: 'hello' }];
    expect(await storeImages(app, token, withText)).toMatchObject(refused);
    const flood = Array.from({ length: 300 }, (_, index) => ({ name: `f${index}`, body: 'x' }));
    expect(await storeImages(app, token, [photoPart(jpeg), ...flood])).toMatchObject(refused);
  });

  test('callers without a token: 401', async () => {
    const reply = await app.request('/api/common/store_images', { method: 'POST', body: 'x' });
    expect(reply.status).toBe(401);
  });
});

describe('a polyglot is cut where the picture ends', () => {
  test.each([
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>')],
    ['ZIP', Buffer.from('PK\u0003\u0004 a whole archive')],
  ])('%s behind a JPEG', async (_name, tail) => {
    const image = await storePhoto(app, token, Buffer.concat([await photo(), tail]));
    expect((await download(image.url)).includes(tail)).toBe(false);
  });
});

test('an upload is in the event log of its tenant, without file names', async () => {
  const reply = await storePhoto(app, token, await photo());
  const events = await tenantRows<{ action: string; detail: { images: string[] } }>(
    app,
    `SELECT action, detail FROM event_logs WHERE category = 'access' AND detail -> 'images' ? $1`,
    [reply.uuid],
  );
  expect(events).toEqual([{ action: 'image_upload', detail: { images: [reply.uuid] } }]);
});

test('photos are not visible to another tenant', async () => {
  await createTenant(app, 'elsewhere');
  const stranger = await register(app, { role: 'admin', tenant: 'elsewhere' });
  const image = await storePhoto(app, token, await photo());
  expect((await app.request(image.url, { token: stranger.access_token })).status).toBe(404);
});
