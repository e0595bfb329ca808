import { afterAll, describe, expect, test } from 'vitest';
import { acceptImage, acceptImages } from '../../../../src/domain/media/images/accept-image.ts';
import {
  createImageDecoder,
  type DecodeResult,
  type ImageDecoder,
} from '../../../../src/lib/image/decode.ts';
import type { Problem } from '../../../../src/contract/problem.ts';
import { blankPng, skinPhoto } from '../../../support/images.ts';

const decoder = createImageDecoder();
afterAll(() => decoder.close());

const jpeg = await skinPhoto({ width: 32, height: 24, format: 'jpeg' });

const refusal = (promise: Promise<unknown>): Promise<Problem> =>
  promise.then(
    () => {
      throw new Error('was accepted');
    },
    (problem: Problem) => problem,
  );

/** A decoder that says this of every picture, and remembers how often it was asked. */
function decoderThatSays(result: DecodeResult): ImageDecoder & { asked: number } {
  const fake = {
    asked: 0,
    check: async () => {
      fake.asked += 1;
      return result;
    },
    thumbnail: () => Promise.reject(new Error('not asked for here')),
    close: async () => undefined,
  };
  return fake;
}

test('the accepted picture is a view of the upload, without bytes after its end', async () => {
  const upload = Uint8Array.from(Buffer.concat([jpeg, Buffer.from('PK\u0003\u0004 and more')]));
  const { bytes, facts } = await acceptImage(upload, decoder, '/image');
  expect(bytes.buffer).toBe(upload.buffer);
  expect(bytes).toHaveLength(jpeg.length);
  expect(facts).toMatchObject({ type: 'image/jpeg', widthPx: 32, heightPx: 24 });
  // The decoder worked on a copy: the upload can still be hashed and sent.
  expect(Buffer.from(bytes).equals(jpeg)).toBe(true);
});

test('the pixels of a bomb are never decoded', async () => {
  const watched = decoderThatSays({ ok: true } as DecodeResult);
  const problem = await refusal(acceptImage(blankPng(10_000, 10_000), watched, '/image'));
  expect(problem).toMatchObject({ code: 'payload_too_large', status: 413 });
  expect(watched.asked).toBe(0);
});

test('exactly 50 megapixels may be decoded', async () => {
  const watched = decoderThatSays({ ok: true } as DecodeResult);
  await acceptImage(blankPng(10_000, 5000), watched, '/image');
  expect(watched.asked).toBe(1);
});

test('an image whose pixels contradict its header is invalid', async () => {
  const undecodable = decoderThatSays({
    ok: false,
    reason: 'undecodable',
    detail: 'The pixels do not decode.',
  });
  expect(await refusal(acceptImage(jpeg, undecodable, '/image'))).toMatchObject({
    code: 'invalid_image',
    errors: [{ pointer: '/image', code: 'undecodable', message: 'The pixels do not decode.' }],
  });
});

describe('a failure of our decoder is not the picture’s fault: 503 with Retry-After', () => {
  test.each(['busy', 'timeout', 'failed'] as const)('%s', async (reason) => {
    const troubled = decoderThatSays({ ok: false, reason, detail: 'Not now.' });
    const problem = await refusal(acceptImage(jpeg, troubled, '/image'));
    expect(problem).toMatchObject({ code: 'busy', status: 503 });
    expect(Number(problem.headers['retry-after'])).toBeGreaterThan(0);
  });
});

test('of several uploads all headers are checked before the first pixel is decoded', async () => {
  const watched = decoderThatSays({ ok: true } as DecodeResult);
  const problem = await refusal(acceptImages([jpeg, jpeg, Buffer.from('GIF89a')], watched));
  expect(problem).toMatchObject({ code: 'invalid_image', errors: [{ pointer: '/images/2' }] });
  expect(watched.asked).toBe(0);
});
