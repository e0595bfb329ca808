import { inflateSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { inspectImage } from '../../../src/lib/image/inspect.ts';
import { register } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { decodePixels } from '../../support/decode-pixels.ts';
import { anamnesisPart, imagePart, upload } from '../../support/diagnosis.ts';
import { encodeJpeg, encodePng, skinPixels } from '../../support/images.ts';
import { type PhonePhoto, phonePhotos, screenshot } from '../../support/phone-photos.ts';
import { storePhoto } from '../../support/stored-images.ts';

// A photo says where and when it was taken, with whose device. None of that reaches the AI service, whichever way the
// photo takes; its pixels and its orientation do.

const app = await testApp();
const { access_token: token } = await register(app);
beforeEach(() => app.ai.reset());

const pixels = skinPixels({ width: 96, height: 72 });
const thumbnail = await encodeJpeg(skinPixels({ width: 32, height: 24, seed: 7 }), { quality: 70 });
const photos = [
  ...phonePhotos(await encodeJpeg(pixels), thumbnail),
  ...phonePhotos(await encodeJpeg(pixels, { progressive: true }), thumbnail).map((photo) => ({
    ...photo,
    name: `${photo.name}, progressive`,
  })),
  screenshot(encodePng(pixels)),
];

const ways: Record<string, (photo: Buffer) => Promise<Response>> = {
  'a diagnosis': (photo) =>
    app.request('/api/diagnosis', upload([imagePart(photo), anamnesisPart()], { token })),
  'image_validity as a form': (photo) =>
    app.request('/api/ai/image_validity', upload([imagePart(photo)], { token })),
  'image_validity as base64': (photo) =>
    app.request('/api/ai/image_validity', { json: { imageData: photo.toString('base64') }, token }),
  'image_validity of a stored photo': async (photo) => {
    const { url } = await storePhoto(app, token, photo);
    return app.request('/api/ai/image_validity', { json: { imageUrl: url }, token });
  },
};

async function imageSentToAi(): Promise<Buffer> {
  const call = app.ai.calls.find(({ route }) => route === 'image_validity');
  const headers = { 'content-type': String(call?.headers['content-type']) };
  const form = await new Response(new Uint8Array(call?.body ?? []), { headers }).formData();
  return Buffer.from(await (form.get('image') as File).arrayBuffer());
}

function expectNoSecrets({ secrets }: PhonePhoto) {
  const received = Buffer.concat(
    app.ai.calls.flatMap(({ body, headers }) => [body, Buffer.from(JSON.stringify(headers))]),
  );
  for (const secret of secrets) expect(received.includes(secret), secret.toString('latin1')).toBe(false);
}

/** The ICC profile inside a JPEG or PNG. */
function profileOf(file: Buffer): Buffer {
  const facts = inspectImage(file);
  if (!facts.ok) throw new Error(facts.detail);
  if (facts.type === 'image/png') {
    const part = facts.parts.find(({ chunk }) => chunk === 'iCCP');
    const data = file.subarray((part?.start ?? 0) + 8, (part?.end ?? 0) - 4);
    return inflateSync(data.subarray(data.indexOf(0) + 2));
  }
  const parts = facts.parts.filter(({ marker }) => marker === 0xe2);
  return Buffer.concat(parts.map(({ start, end }) => file.subarray(start + 18, end)));
}

describe.each(Object.keys(ways))('%s', (way) => {
  test.each(photos)('$name: no metadata leaves; pixels, orientation and colours do', async (photo) => {
    const reply = await ways[way]?.(photo.file);
    expect(reply?.status).toBe(200);
    expectNoSecrets(photo);
    const sent = await imageSentToAi();
    expect(inspectImage(sent)).toMatchObject({
      ok: true,
      orientation: photo.orientation,
      trailingBytes: 0,
    });
    expect(await decodePixels(sent)).toEqual(await decodePixels(photo.file));
    if (photo.icc !== undefined) {
      expect(sent.includes('ICC')).toBe(true);
      expect(profileOf(sent)).toHaveLength(photo.icc.length);
      expect(profileOf(sent).includes('Display P3')).toBe(false);
    }
  });
});
