import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type EncodedBody, encodeBody } from '../../../src/lib/ai/encode-body.ts';

async function bytesOf({ content }: EncodedBody): Promise<Buffer> {
  const sent = content();
  return Buffer.isBuffer(sent) ? sent : await buffer(sent);
}

test('JSON is sent as UTF-8, its length in bytes', async () => {
  const encoded = encodeBody({ json: { text: 'גרד – حكة – comezón' } });
  const bytes = await bytesOf(encoded);
  expect(encoded.contentType).toBe('application/json');
  expect(encoded.length).toBe(bytes.byteLength);
  expect(JSON.parse(bytes.toString('utf8'))).toEqual({ text: 'גרד – حكة – comezón' });
});

test.each([
  ['image/jpeg', 'image.jpg'],
  ['image/png', 'image.png'],
] as const)('%s is the part `image` of a form, byte for byte', async (contentType, filename) => {
  // Bytes that look like the end of a part, and a view into a larger buffer.
  const image = new TextEncoder().encode('xx\r\n--dermagate-\r\n\r\n\0\u00FFyy').subarray(2, -2);
  const encoded = encodeBody({ image, contentType });
  const bytes = await bytesOf(encoded);
  expect(encoded.length).toBe(bytes.byteLength);
  const headers = { 'content-type': encoded.contentType };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData();
  expect([...form.keys()]).toEqual(['image']);
  const file = form.get('image') as File;
  expect([file.name, file.type]).toEqual([filename, contentType]);
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(image);
});

test('the same body can be sent again, with an unpredictable boundary', async () => {
  const image = new Uint8Array(1000);
  const encoded = encodeBody({ image, contentType: 'image/png' });
  expect(await bytesOf(encoded)).toEqual(await bytesOf(encoded));
  expect(encodeBody({ image, contentType: 'image/png' }).contentType).not.toBe(encoded.contentType);
});
