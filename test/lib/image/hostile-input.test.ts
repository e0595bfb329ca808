// Random damage to valid pictures: whatever arrives, the answer is a verdict.
import { crc32, deflateSync } from 'node:zlib';

import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';

import { createImageDecoder } from '../../../src/lib/image/decode.ts';
import type { ImageFacts } from '../../../src/lib/image/facts.ts';
import { inspectImage } from '../../../src/lib/image/inspect.ts';
import { stripMetadata } from '../../../src/lib/image/strip-metadata.ts';
import { bundledDecoder } from '../../support/bundled-decoder.ts';
import { decodePixels } from '../../support/decode-pixels.ts';
import { encodeJpeg, encodePng, pngChunk, skinPixels } from '../../support/images.ts';
import { phonePhotos, screenshot } from '../../support/phone-photos.ts';
import { IEND, ihdr, pngFile, rawRows } from '../../support/png-files.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const pixels = skinPixels({ width: 48, height: 32 });
const thumbnail = await encodeJpeg(skinPixels({ width: 16, height: 8 }));
const pictures = [
  await encodeJpeg(pixels),
  await encodeJpeg(pixels, { progressive: true }),
  ...phonePhotos(await encodeJpeg(pixels, { quality: 50 }), thumbnail).map(({ file }) => file),
  encodePng(pixels),
  screenshot(encodePng(pixels)).file,
];

/** Bytes that mean something to a parser: markers, lengths, signs. */
const tellingByte = fc.oneof(
  fc.integer({ min: 0, max: 255 }),
  fc.constantFrom(
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0xc0,
    0xc2,
    0xc4,
    0xd0,
    0xd8,
    0xd9,
    0xda,
    0xdb,
    0xe0,
    0xe1,
    0xe2,
    0xfe,
  ),
);
const damage = fc.record({
  kind: fc.constantFrom('set', 'set', 'flip', 'flip', 'remove', 'insert', 'repeat', 'cut'),
  at: fc.nat({ max: 99_999 }),
  /** Headers stand near the start; elsewhere most bytes are picture data. */
  nearStart: fc.boolean(),
  length: fc.integer({ min: 1, max: 60 }),
  bytes: fc.array(tellingByte, { minLength: 1, maxLength: 4 }),
});

function damaged(
  file: Buffer,
  { kind, at, nearStart, length, bytes }: ReturnType<typeof damage.generate>['value'],
): Buffer {
  const from = at % Math.max(1, nearStart ? Math.min(700, file.length) : file.length);
  const before = file.subarray(0, from);
  const after = file.subarray(from + length);
  if (kind === 'cut') return Buffer.from(before);
  if (kind === 'remove') return Buffer.concat([before, after]);
  if (kind === 'insert') return Buffer.concat([before, Buffer.from(bytes), file.subarray(from)]);
  if (kind === 'repeat') return Buffer.concat([file.subarray(0, from + length), file.subarray(from)]);
  const copy = Buffer.from(file);
  for (const [index, byte] of bytes.entries()) {
    const offset = from + index;
    if (offset < copy.length) copy[offset] = kind === 'set' ? byte : (copy[offset] ?? 0) ^ (1 << (byte & 7));
  }
  return copy;
}

/** PNG chunks are guarded by checksums: put right, they let damage through to what lies behind. */
function withRightChecksums(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  for (let at = 8; at + 12 <= copy.length;) {
    const end = at + 12 + copy.readUInt32BE(at);
    if (end > copy.length) break;
    copy.writeUInt32BE(crc32(copy.subarray(at + 4, end - 4)), end - 4);
    at = end;
  }
  return copy;
}

const damagedPicture = fc
  .tuple(fc.constantFrom(...pictures), fc.array(damage, { minLength: 1, maxLength: 2 }), fc.boolean())
  .map(([file, damages, repaired]) => {
    const result = damages.reduce(damaged, file);
    return repaired && file[0] === 0x89 ? withRightChecksums(result) : result;
  });

function expectSoundFacts(facts: ImageFacts, bytes: Uint8Array) {
  const largest = facts.type === 'image/jpeg' ? 0xffff : 0x7fff_ffff;
  for (const size of [facts.widthPx, facts.heightPx]) {
    expect(Number.isInteger(size) && size >= 1 && size <= largest).toBe(true);
  }
  expect([1, 2, 3, 4, 5, 6, 7, 8]).toContain(facts.orientation);
  expect(facts.endOffset + facts.trailingBytes).toBe(bytes.length);
  let previousEnd = 0;
  for (const { start, end } of facts.parts) {
    expect(start >= previousEnd && end > start).toBe(true);
    previousEnd = end;
  }
  expect(previousEnd).toBe(facts.endOffset);
}

describe('inspectImage and stripMetadata', () => {
  test('a damaged picture gets sound facts or a reason, and what is stored of it is sound again', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(damagedPicture, (bytes) => {
        const facts = inspectImage(bytes);
        if (!facts.ok) {
          expect(facts.detail).toMatch(/^[A-Z].*\.$/);
          seen.refused += 1;
          return;
        }
        seen.accepted += 1;
        expectSoundFacts(facts, bytes);
        const stored = Buffer.concat(stripMetadata(bytes, facts));
        expect(inspectImage(stored)).toMatchObject({
          ok: true,
          widthPx: facts.widthPx,
          heightPx: facts.heightPx,
          orientation: facts.orientation,
          trailingBytes: 0,
        });
      }),
      { numRuns: propertyRuns(700) },
    );
    // Otherwise the damage is too mild or too rough to show anything.
    expect(seen.accepted).toBeGreaterThan(35);
    expect(seen.refused).toBeGreaterThan(35);
  });

  test('bytes of any kind behind a signature get a verdict', () => {
    const signature = fc.constantFrom(
      '\xff\xd8\xff',
      '\x89PNG\r\n\x1a\n',
      '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
      '',
    );
    const rest = fc.array(tellingByte, { maxLength: 400 });
    fc.assert(
      fc.property(signature, rest, (start, bytes) => {
        const file = Buffer.concat([Buffer.from(start, 'latin1'), Buffer.from(bytes)]);
        const facts = inspectImage(file);
        if (facts.ok) expectSoundFacts(facts, file);
      }),
      { numRuns: propertyRuns(700) },
    );
  });

  test('fifteen megabytes of the worst bytes get a verdict too', () => {
    const worst = [
      ['\xff\xd8\xff', '\xff\0'],
      ['\xff\xd8\xff', '\xff'],
      ['\xff\xd8\xff', '\xff\xfe\0\x02'],
      ['\x89PNG\r\n\x1a\n', '\0\0\0\0IDAT\x35\xaf\x06\x1e'],
    ] as const;
    for (const [signature, unit] of worst) {
      const file = Buffer.concat([
        Buffer.from(signature, 'latin1'),
        Buffer.alloc(15_000_000, unit, 'latin1'),
      ]);
      expect(inspectImage(file).ok).toBe(false);
    }
  });
});

describe('the decoder', async () => {
  const worker = await bundledDecoder();
  const decoder = createImageDecoder({ timeoutMs: 60_000, maxPixels: 2_000_000, worker });
  afterAll(() => decoder.close());

  test('a damaged picture decodes, and the same without its metadata, or is undecodable', async () => {
    await fc.assert(
      fc.asyncProperty(damagedPicture, async (bytes) => {
        const facts = inspectImage(bytes);
        if (!facts.ok) return;
        const result = await decoder.check(bytes, facts);
        if (!result.ok) {
          expect(['undecodable', 'too_many_pixels']).toContain(result.reason);
          return;
        }
        expect(result).toMatchObject({ widthPx: facts.widthPx, heightPx: facts.heightPx });
        const stored = await decodePixels(Buffer.concat(stripMetadata(bytes, facts)));
        expect(stored).toMatchObject({ width: facts.widthPx, height: facts.heightPx });
        // The reference decoder refuses a PNG for what stripping removes: an invalid ancillary chunk.
        const sent = await decodePixels(bytes).catch(() => stored);
        expect(stored).toEqual(sent);
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  test('an accepted PNG decodes in the reference decoder, with any row content', async () => {
    const shape = fc.record({
      width: fc.integer({ min: 1, max: 40 }),
      height: fc.integer({ min: 1, max: 40 }),
      interlace: fc.constantFrom(0, 1),
      format: fc.constantFrom(
        { colorType: 0, bitDepth: 1 },
        { colorType: 0, bitDepth: 16 },
        { colorType: 2, bitDepth: 8 },
        { colorType: 4, bitDepth: 8 },
        { colorType: 6, bitDepth: 16 },
      ),
    });
    const seen = { accepted: 0, refused: 0 };
    const inRows = fc.option(damage.map((hit) => ({ ...hit, kind: 'set' }) as const));
    const inStream = fc.option(damage, { freq: 1 });
    await fc.assert(
      fc.asyncProperty(shape, inRows, inStream, async ({ format, ...size }, rowDamage, streamDamage) => {
        const rows = rawRows({ ...size, ...format });
        const stream = deflateSync(rowDamage === null ? rows : damaged(rows, rowDamage));
        const data = streamDamage === null ? stream : damaged(stream, streamDamage);
        const file = pngFile(ihdr({ ...size, ...format }), pngChunk('IDAT', data), IEND);
        const facts = inspectImage(file);
        if (!facts.ok) throw new Error(facts.detail);
        const result = await decoder.check(file, facts);
        seen[result.ok ? 'accepted' : 'refused'] += 1;
        if (!result.ok) return;
        expect(await decodePixels(file)).toMatchObject({ width: size.width, height: size.height });
      }),
      // So many that bad luck leaves neither count below its bound.
      { numRuns: propertyRuns(200) },
    );
    expect(seen.accepted).toBeGreaterThan(8);
    expect(seen.refused).toBeGreaterThan(8);
  });
});
