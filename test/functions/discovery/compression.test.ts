import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type RawReply, request } from '../../../dev/packages/functions-host/test/running-host.ts';
import { testApp } from '../../support/app.ts';

const app = await testApp();
const get = (path: string, ...headers: string[]): Promise<RawReply> =>
  request(app.host, `GET ${path}`, headers);
const header = (reply: RawReply, name: string) => reply.headers[name]?.join(', ');

const large = ['/api/openapi.json', '/api/docs/swagger-ui-bundle.js', '/api/docs/swagger-ui.css'];
const unpack = { gzip: gunzipSync, br: brotliDecompressSync };

test.each(large)('%s is compressed when asked, and the same when unpacked', async (path) => {
  const plain = await get(path);
  expect(plain.status).toBe(200);
  expect(header(plain, 'content-encoding')).toBeUndefined();
  expect(header(plain, 'vary')).toBe('Origin, Accept-Encoding');
  for (const [encoding, unpacked] of Object.entries(unpack)) {
    const reply = await get(path, `Accept-Encoding: ${encoding}`);
    expect(header(reply, 'content-encoding')).toBe(encoding);
    expect(header(reply, 'content-type')).toBe(header(plain, 'content-type'));
    expect(header(reply, 'vary')).toBe('Origin, Accept-Encoding');
    expect(reply.body.byteLength).toBeLessThan(plain.body.byteLength / 2);
    expect(unpacked(reply.body).equals(plain.body)).toBe(true);
  }
  const refused = await get(path, 'Accept-Encoding: gzip;q=0, br;q=0');
  expect(header(refused, 'content-encoding')).toBeUndefined();
});

test.each(large)('%s has an entity tag of its own for each encoding, and answers 304 to it', async (path) => {
  const tags = new Set<string>();
  for (const encoding of ['identity', 'gzip', 'br']) {
    const accept = `Accept-Encoding: ${encoding}`;
    const etag = header(await get(path, accept), 'etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    tags.add(etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const unchanged = await get(path, accept, `If-None-Match: ${known}`);
      expect(unchanged).toMatchObject({ status: 304, text: '' });
      expect(header(unchanged, 'etag')).toBe(etag);
      expect(header(unchanged, 'cache-control')).toBe('public, no-cache');
      expect(header(unchanged, 'vary')).toBe('Origin, Accept-Encoding');
      expect(header(unchanged, 'content-encoding')).toBeUndefined();
    }
    // A tag that only begins alike names another file.
    const longer = `${etag.slice(0, -1)}x"`;
    expect((await get(path, accept, `If-None-Match: ${longer}`)).status).toBe(200);
  }
  expect(tags.size).toBe(3);
});

test('a small file is sent as it is', async () => {
  const reply = await get('/api/docs/start.js', 'Accept-Encoding: gzip, br');
  expect(reply.status).toBe(200);
  expect(header(reply, 'content-encoding')).toBeUndefined();
  expect(header(reply, 'etag')).toMatch(/^"[\w-]+"$/);
});

test('a reply that depends on the caller is never compressed: its length would leak its content', async () => {
  const reply = await get('/health', 'Accept-Encoding: gzip, br');
  expect(header(reply, 'content-encoding')).toBeUndefined();
});
