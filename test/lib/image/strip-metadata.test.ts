import { deflateSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { inspectImage } from '../../../src/lib/image/inspect.ts';
import { stripMetadata } from '../../../src/lib/image/strip-metadata.ts';
import { decodePixels } from '../../support/decode-pixels.ts';
import { iccProfile } from '../../support/exif.ts';
import { encodeJpeg, encodePng, pngChunk, skinPixels, withJpegSegment } from '../../support/images.ts';
import { phonePhotos, screenshot, withoutJfif, withSegments } from '../../support/phone-photos.ts';
import { anyPng } from '../../support/png-files.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

const pixels = skinPixels({ width: 160, height: 96 });
const jpeg = await encodeJpeg(pixels);
const progressive = await encodeJpeg(pixels, { progressive: true });
const png = encodePng(pixels);
const thumbnail = await encodeJpeg(skinPixels({ width: 32, height: 24, seed: 7 }), { quality: 70 });

const photos = [
  ...phonePhotos(jpeg, thumbnail),
  ...phonePhotos(progressive, thumbnail).map((photo) => ({ ...photo, name: `${photo.name}, progressive` })),
  screenshot(png),
];

function facts(file: Uint8Array) {
  const result = inspectImage(file);
  if (!result.ok) throw new Error(`refused as ${result.reason}: ${result.detail}`);
  return result;
}

const strip = (file: Uint8Array) => Buffer.concat(stripMetadata(file, facts(file)));

/** Names of JPEG segments and PNG chunks in a file. */
const names = (file: Uint8Array) => {
  const found = facts(file);
  return found.type === 'image/png'
    ? found.parts.map(({ chunk }) => chunk)
    : found.parts.map(({ marker }) => marker);
};

describe.each(photos)('$name', ({ file, orientation, icc, secrets }) => {
  const stored = strip(file);

  test('the photo holds what the test looks for', () => {
    for (const secret of secrets) expect(file.includes(secret), secret.toString('latin1')).toBe(true);
    expect(facts(file).orientation).toBe(orientation);
  });

  test('no metadata is left', () => {
    for (const secret of secrets) expect(stored.includes(secret), secret.toString('latin1')).toBe(false);
    expect(facts(stored).trailingBytes).toBe(0);
  });

  test('the pixels are identical, as stored and upright', async () => {
    expect(await decodePixels(stored)).toEqual(await decodePixels(file));
    expect(await decodePixels(stored, { upright: true })).toEqual(
      await decodePixels(file, { upright: true }),
    );
  });

  test('size, orientation and colour profile stay', () => {
    const { widthPx, heightPx } = facts(file);
    expect(facts(stored)).toMatchObject({ widthPx, heightPx, orientation });
    if (icc === undefined) expect(stored.includes('ICC')).toBe(false);
  });

  test('only some new bytes are made, the rest are views of what was sent', () => {
    const pieces = stripMetadata(file, facts(file));
    const made = pieces.filter(({ buffer }) => buffer !== file.buffer);
    expect(made.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(150);
    expect(pieces.every(({ length }) => length > 0)).toBe(true);
  });

  test('stripping again changes nothing', () => {
    expect(strip(stored).equals(stored)).toBe(true);
  });
});

describe('an upright picture without metadata', () => {
  test('is stored as it was sent, in a few pieces', () => {
    expect(strip(jpeg).equals(jpeg)).toBe(true);
    expect(strip(progressive).equals(progressive)).toBe(true);
    expect(strip(png).equals(png)).toBe(true);
    expect(stripMetadata(jpeg, facts(jpeg)).length).toBeLessThanOrEqual(3);
    expect(stripMetadata(png, facts(png))).toHaveLength(1);
  });
});

describe('colour profiles', () => {
  const iccOf = (file: Uint8Array) => {
    const found = facts(file);
    if (found.type !== 'image/jpeg') throw new Error('not a JPEG');
    const parts = found.parts.filter(({ marker }) => marker === 0xe2);
    return Buffer.concat(parts.map(({ start, end }) => file.subarray(start + 4 + 14, end)));
  };
  const part = (number: number, count: number, data: Buffer) =>
    [0xe2, Buffer.concat([latin1('ICC_PROFILE\0'), Buffer.from([number, count]), data])] as const;
  const profile = iccProfile(3000);

  test('a profile in several parts survives whole', () => {
    const photo = phonePhotos(jpeg, thumbnail).find(({ name }) => name === 'Pixel');
    expect(iccOf(strip(photo?.file ?? Buffer.alloc(0))).equals(photo?.icc ?? Buffer.alloc(0))).toBe(true);
    const swapped = withSegments(jpeg, [
      part(2, 2, profile.subarray(900)),
      part(1, 2, profile.subarray(0, 900)),
    ]);
    expect(strip(swapped).equals(swapped)).toBe(false); // JFIF goes first, where its standard wants it
    expect(iccOf(strip(swapped))).toHaveLength(3000);
    const bare = stripMetadata(swapped, facts(swapped), { bareProfile: true });
    // The first bytes of the profile are in the part that comes last.
    expect(iccOf(Buffer.concat(bare)).indexOf('acsp')).toBe(2100 + 36);
    expect(profile.includes('Display P3')).toBe(true);
    expect(Buffer.concat(bare).includes('Display P3')).toBe(false);
  });

  test.each([
    ['a missing part', [part(1, 2, profile)]],
    ['a repeated part', [part(1, 2, profile), part(1, 2, profile)]],
    ['a part number of zero', [part(0, 1, profile)]],
    [
      'a part number beyond the count',
      [part(1, 2, profile.subarray(0, 900)), part(3, 2, profile.subarray(900))],
    ],
    ['another signature', [part(1, 1, Buffer.alloc(3000, 'secret'))]],
    ['a tail behind the profile', [part(1, 1, Buffer.concat([profile, latin1('secret text')]))]],
    ['too few bytes', [part(1, 1, profile.subarray(0, 2000))]],
    ['no bytes', [part(1, 1, Buffer.alloc(0))]],
  ])('%s: not a profile, removed', (_, segments) => {
    expect(strip(withSegments(jpeg, segments)).equals(jpeg)).toBe(true);
  });

  test('a PNG profile survives under a neutral name', async () => {
    const photo = screenshot(png);
    const stored = strip(photo.file);
    expect(names(stored)).toEqual(['IHDR', 'eXIf', 'iCCP', 'pHYs', 'IDAT', 'IEND']);
    const iccp = deflateSync(photo.icc ?? Buffer.alloc(0));
    expect(stored.includes(Buffer.concat([latin1('iCCPICC profile\0\0'), iccp]))).toBe(true);
    await decodePixels(stored);
  });

  test.each([
    ['more than 4 MB', Buffer.concat([latin1('x\0\0'), deflateSync(iccProfile(5_000_000))])],
    [
      'text in place of a profile',
      Buffer.concat([latin1('x\0\0'), deflateSync(latin1('secret'.repeat(99)))]),
    ],
    ['data behind the profile', Buffer.concat([latin1('x\0\0'), deflateSync(profile), latin1('secret')])],
    ['no compressed data', latin1('x\0\0')],
    ['no name', Buffer.concat([latin1('\0\0'), deflateSync(profile)])],
    ['an unknown compression', Buffer.concat([latin1('x\0\x01'), deflateSync(profile)])],
    ['an endless name', Buffer.alloc(200, 'n')],
  ])('a PNG profile with %s is removed', (_, data) => {
    expect(strip(encodePng(pixels, { chunks: [pngChunk('iCCP', data)] })).equals(png)).toBe(true);
  });

  test('only the first PNG profile is read, also where it is invalid: a file may have a thousand', () => {
    const [invalid, valid] = [latin1('secret'), profile].map((content) =>
      pngChunk('iCCP', Buffer.concat([latin1('x\0\0'), deflateSync(content)])),
    ) as [Buffer, Buffer];
    expect(names(strip(encodePng(pixels, { chunks: [valid] })))).toContain('iCCP');
    expect(strip(encodePng(pixels, { chunks: [invalid, valid] })).equals(png)).toBe(true);
  });
});

describe('JPEG', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('orientation %i stays', async (orientation) => {
    const tiff = Buffer.from('49492a0008000000010012010300010000000000000000000000', 'hex');
    tiff.writeUInt16LE(orientation, 18);
    const photo = withJpegSegment(jpeg, 0xe1, Buffer.concat([latin1('Exif\0\0'), tiff]));
    const stored = strip(photo);
    expect(facts(stored).orientation).toBe(orientation);
    expect(await decodePixels(stored, { upright: true })).toEqual(
      await decodePixels(photo, { upright: true }),
    );
  });

  test('Adobe’s colour transform stays, without its tail', async () => {
    // Without JFIF, transform 0 says that the three components are RGB, not YCbCr: other colours.
    const rgb = withSegments(withoutJfif(jpeg), [[0xee, latin1('Adobe\0\x64\0\0\0\0\0hidden')]]);
    const stored = strip(rgb);
    expect(stored.includes('hidden')).toBe(false);
    expect(await decodePixels(stored)).toEqual(await decodePixels(rgb));
    expect(await decodePixels(stored)).not.toEqual(await decodePixels(jpeg));
  });

  test('comments between scans, fill bytes and stray bytes between segments go', async () => {
    const scan = progressive.lastIndexOf(Buffer.from([0xff, 0xda]));
    const table = progressive.indexOf(Buffer.from([0xff, 0xdb]));
    const photo = Buffer.concat([
      progressive.subarray(0, table),
      latin1('stray secret\xff\xff\xff'),
      progressive.subarray(table, scan),
      latin1('\xff\xfe\0\x08secret'),
      progressive.subarray(scan),
    ]);
    const stored = strip(photo);
    expect(stored.includes('secret')).toBe(false);
    expect(stored.equals(progressive)).toBe(true);
  });

  test.each([
    ['JFIF', 0xe0, 'JFIF\0hidden'],
    ['Adobe', 0xee, 'Adobehidden'],
  ])('a segment %s that is too short for what it names goes', (_, marker, payload) => {
    const bare = withoutJfif(jpeg);
    expect(strip(withSegments(bare, [[marker, latin1(payload)]])).equals(bare)).toBe(true);
  });

  test('a JFIF thumbnail goes, the density stays', () => {
    const jfif = latin1('JFIF\0\x01\x02\x01\x01\x2c\x01\x2c\x02\x02thumb-pixels');
    const stored = strip(withSegments(withoutJfif(jpeg), [[0xe0, jfif]]));
    const kept = Buffer.concat([latin1('\xff\xe0\0\x10'), jfif.subarray(0, 12), latin1('\0\0')]);
    expect(stored.subarray(2, 20).equals(kept)).toBe(true);
    expect(stored.includes('thumb-pixels')).toBe(false);
  });
});

describe('PNG', () => {
  test.each([
    [0, 16],
    [2, 8],
    [3, 8],
    [4, 8],
    [6, 16],
  ])('colour type %i with %i bits keeps what it needs to be shown', async (colorType, bitDepth) => {
    const transparency = { 0: Buffer.alloc(2), 2: Buffer.alloc(6), 3: Buffer.from([0, 128]) }[colorType];
    const before = [
      ...(transparency === undefined ? [] : [pngChunk('tRNS', transparency)]),
      pngChunk('bKGD', Buffer.alloc(colorType === 3 ? 1 : 2)),
      pngChunk('tEXt', latin1('Comment\0secret')),
    ];
    const shape = { width: 21, height: 13, colorType, bitDepth, interlace: 1 };
    const colour = [pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])), pngChunk('sRGB', Buffer.from([0]))];
    const photo = anyPng(shape, [...before, ...colour]);
    const stored = strip(photo);
    expect(names(stored)).toEqual(names(photo).filter((name) => name !== 'bKGD' && name !== 'tEXt'));
    expect(await decodePixels(stored)).toEqual(await decodePixels(photo));
  });

  test('chunks of allowed names where they mean nothing are removed', () => {
    const gamma = pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]));
    const shape = { width: 9, height: 4 };
    expect(strip(anyPng(shape, [gamma, gamma])).equals(anyPng(shape, [gamma]))).toBe(true);
    expect(strip(anyPng(shape, [], [gamma])).equals(anyPng(shape))).toBe(true);
    const transparency = pngChunk('tRNS', Buffer.alloc(6));
    expect(strip(anyPng({ ...shape, colorType: 6 }, [transparency])).includes('tRNS')).toBe(false);
  });

  test.each(['gAMA', 'cHRM', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'pHYs', 'tRNS'])(
    'a chunk %s with room for text is removed',
    (name) => {
      for (const text of ['secret', 'a secret text of another length than any of these']) {
        const photo = encodePng(pixels, { chunks: [pngChunk(name, latin1(text))] });
        // Six bytes are the transparent colour of an RGB picture.
        if (name === 'tRNS' && text.length === 6) continue;
        expect(strip(photo).equals(png)).toBe(true);
      }
    },
  );

  test.each([
    ['sRGB', '\x04'],
    ['pHYs', 'secrets!\x02'],
  ])('a chunk %s of the right length and a value that is none is removed', (name, value) => {
    expect(strip(encodePng(pixels, { chunks: [pngChunk(name, latin1(value))] })).equals(png)).toBe(true);
  });

  test.each([2, 6])('a palette that no pixel of colour type %i needs is removed', async (colorType) => {
    const shape = { width: 9, height: 4, colorType };
    const photo = anyPng(shape, [pngChunk('PLTE', latin1('secret'.repeat(3)))]);
    expect(strip(photo).equals(anyPng(shape))).toBe(true);
    expect(await decodePixels(strip(photo))).toEqual(await decodePixels(photo));
  });

  test('transparency for more colours than the palette has is removed', () => {
    // Its palette has four.
    const shape = { width: 9, height: 4, colorType: 3 };
    const of = (length: number) =>
      anyPng(shape, [pngChunk('tRNS', latin1('secret'.repeat(50).slice(0, length)))]);
    expect(strip(of(4)).equals(of(4))).toBe(true);
    expect(strip(of(5)).equals(anyPng(shape))).toBe(true);
    expect(strip(of(256)).equals(anyPng(shape))).toBe(true);
  });
});
