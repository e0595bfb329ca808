import { expect, test } from 'vitest';
import { register, tenantRows } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { decodePixels } from '../../support/decode-pixels.ts';
import { skinPhoto, withExifOrientation } from '../../support/images.ts';
import { blobNames, storePhoto } from '../../support/stored-images.ts';
import { waitingCase } from '../../support/waiting-case.ts';

// GET /api/common/images/{uuid}

const app = await testApp();
const owner = await register(app);
const [other, physician, admin] = await Promise.all([
  register(app),
  register(app, { role: 'physician' }),
  register(app, { role: 'admin' }),
]);
const token = owner.access_token;
const image = await storePhoto(app, token, await skinPhoto({ width: 640, height: 480, format: 'jpeg' }));
const whole = Buffer.from(await (await app.request(image.url, { token })).arrayBuffer());

const get = (headers: Record<string, string> = {}, method = 'GET', query = '') =>
  app.request(`${image.url}${query}`, { token, headers, method });

test('the owner sees it, and staff who may see a case that it is in; for others it does not exist', async () => {
  const statuses = async () =>
    Promise.all(
      [owner, physician, admin].map(
        async ({ access_token }) => (await app.request(image.url, { token: access_token })).status,
      ),
    );
  expect(await statuses()).toEqual([200, 404, 404]);
  await waitingCase(app, token, { images: [{ name: image.uuid }] });
  expect(await statuses()).toEqual([200, 200, 200]);
  const refused = await app.request(image.url, { token: other.access_token });
  expect(refused.status).toBe(404);
  const unknown = await app.request('/api/common/images/01a1fe24-8b2d-73b9-8383-8be1e08ff577', { token });
  const comparable = async (reply: Response) => {
    const { requestId: _own, ...problem } = (await reply.json()) as { requestId: string };
    return problem;
  };
  expect(await comparable(refused)).toEqual(await comparable(unknown));
  expect((await app.request(image.url)).status).toBe(401);
  expect((await app.request('/api/common/images/nonsense', { token })).status).toBe(404);
});

test('a download by staff is recorded, one by the owner is not', async () => {
  const actors = await tenantRows<{ email: string }>(
    app,
    `SELECT DISTINCT u.email FROM event_logs e JOIN users u ON u.id = e.actor_user_id
     WHERE e.action = 'image_read' AND e.outcome = 'success' AND e.subject_uuid = $1 ORDER BY 1`,
    [image.uuid],
  );
  expect(actors.map(({ email }) => email)).toEqual([admin.email, physician.email]);
});

test('headers keep it private, state its type, and give it a name that reveals nothing', async () => {
  const { headers } = await get();
  expect(headers.get('content-type')).toBe('image/jpeg');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-disposition')).toBe(`inline; filename="${image.uuid}.jpg"`);
  expect(headers.get('etag')).toBe(`"${image.sha256}"`);
  expect(headers.get('accept-ranges')).toBe('bytes');
});

test('a matching If-None-Match is 304 without bytes', async () => {
  for (const tag of [`"${image.sha256}"`, `"other", W/"${image.sha256}"`, '*']) {
    const reply = await get({ 'if-none-match': tag });
    expect(reply.status).toBe(304);
    expect((await reply.arrayBuffer()).byteLength).toBe(0);
  }
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
});

test('HEAD has the headers and no body', async () => {
  const reply = await get({}, 'HEAD');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('etag')).toBe(`"${image.sha256}"`);
  expect((await reply.arrayBuffer()).byteLength).toBe(0);
});

test.each([
  ['bytes=0-99', 0, 100],
  ['bytes=100-', 100, undefined],
  ['bytes=-50', -50, undefined],
  ['bytes=10-999999999', 10, undefined],
])('Range %s is 206 with just that', async (range, start, end) => {
  const reply = await get({ range });
  expect(reply.status).toBe(206);
  const bytes = Buffer.from(await reply.arrayBuffer());
  expect(bytes).toEqual(whole.subarray(start, end));
  const first = start < 0 ? whole.length + start : start;
  expect(reply.headers.get('content-range')).toBe(
    `bytes ${first}-${first + bytes.length - 1}/${whole.length}`,
  );
});

test('a range outside is 416 with the size; a malformed range and several ranges give the whole', async () => {
  const outside = await get({ range: `bytes=${whole.length}-` });
  expect(outside.status).toBe(416);
  expect(outside.headers.get('content-range')).toBe(`bytes */${whole.length}`);
  expect(((await outside.json()) as { code: string }).code).toBe('range_not_satisfiable');
  for (const range of ['bytes=5-1', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=x']) {
    expect((await get({ range })).status).toBe(200);
  }
});

test('HEAD ignores Range, which only GET has', async () => {
  for (const range of ['bytes=0-9', `bytes=${whole.length}-`]) {
    const { status, headers } = await get({ range }, 'HEAD');
    expect(status, range).toBe(200);
    expect(headers.has('content-range')).toBe(false);
  }
});

test('If-Range with another version gives the whole', async () => {
  expect((await get({ range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
  expect((await get({ range: 'bytes=0-9', 'if-range': `"${image.sha256}"` })).status).toBe(206);
});

test('a thumbnail is upright, at most 512 pixels long, made once and stored', async () => {
  const photo = withExifOrientation(await skinPhoto({ width: 900, height: 600, seed: 7, format: 'jpeg' }), 6);
  const { url } = await storePhoto(app, token, photo);
  const before = (await blobNames(app)).length;
  const first = await app.request(`${url}?variant=thumbnail`, { token });
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('image/jpeg');
  const bytes = Buffer.from(await first.arrayBuffer());
  const pixels = await decodePixels(bytes);
  expect([pixels.width, pixels.height]).toEqual([341, 512]);
  const second = await app.request(`${url}?variant=thumbnail`, { token });
  expect(Buffer.from(await second.arrayBuffer())).toEqual(bytes);
  expect((await blobNames(app)).length).toBe(before + 1);
  const etag = first.headers.get('etag') ?? '';
  const again = await app.request(`${url}?variant=thumbnail`, { token, headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  expect((await app.request(`${url}?variant=huge`, { token })).status).toBe(400);
});

test('a thumbnail shows the photo, turned upright', async () => {
  const photo = await skinPhoto({ width: 400, height: 300, seed: 9, format: 'jpeg' });
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const turned = withExifOrientation(photo, orientation);
    const { url } = await storePhoto(app, token, turned);
    const reply = await app.request(`${url}?variant=thumbnail`, { token });
    const small = await decodePixels(Buffer.from(await reply.arrayBuffer()));
    const wanted = await decodePixels(turned, { upright: true });
    expect([small.width, small.height]).toEqual([wanted.width, wanted.height]);
    expect(meanDifference(small.data, wanted.data)).toBeLessThan(6);
  }
});

function meanDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  return sum / a.length;
}

test('simultaneous readers of a new thumbnail all get it, and one is stored', async () => {
  const { url } = await storePhoto(
    app,
    token,
    await skinPhoto({ width: 600, height: 400, seed: 11, format: 'jpeg' }),
  );
  const before = (await blobNames(app)).length;
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => app.request(`${url}?variant=thumbnail`, { token })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect((await blobNames(app)).length).toBe(before + 1);
});

test('a small PNG is not enlarged', async () => {
  const { url } = await storePhoto(app, token, await skinPhoto({ width: 50, height: 40, seed: 12 }));
  const reply = await app.request(`${url}?variant=thumbnail`, { token });
  const pixels = await decodePixels(Buffer.from(await reply.arrayBuffer()));
  expect([pixels.width, pixels.height]).toEqual([50, 40]);
});
