import { describe, expect, test } from 'vitest';

import type { ImageFacts, ImageRefusal } from '../../../src/lib/image/facts.ts';
import { inspectImage } from '../../../src/lib/image/inspect.ts';
import {
  blankPng,
  encodeJpeg,
  encodePng,
  pngChunk,
  skinPixels,
  withExifOrientation,
  withJpegSegment,
} from '../../support/images.ts';
import { anyPng, IEND, ihdr, pngFile, rawRows } from '../../support/png-files.ts';
import { scanBomb } from '../../support/scan-bomb.ts';

const pixels = skinPixels({ width: 96, height: 64 });
const jpeg = await encodeJpeg(pixels);
const progressive = await encodeJpeg(pixels, { progressive: true });
const png = encodePng(pixels);

const text = (value: string) => Buffer.from(value, 'latin1');

function accepted(bytes: Uint8Array): ImageFacts {
  const result = inspectImage(bytes);
  if (!result.ok) throw new Error(`refused as ${result.reason}: ${result.detail}`);
  return result;
}

function refused(bytes: Uint8Array): ImageRefusal {
  const result = inspectImage(bytes);
  if (result.ok) throw new Error('accepted');
  return result;
}

/** The JPEG with the byte at `offset` behind its first `marker` changed. */
function patched(file: Buffer, marker: number, offset: number, value: number): Buffer {
  const copy = Buffer.from(file);
  const at = copy.indexOf(Buffer.from([0xff, marker]));
  copy[at + 2 + offset] = value;
  return copy;
}

const SOF0 = 0xc0;

describe('the type is what the bytes say', () => {
  test('a JPEG and a PNG are recognised with their size and end', () => {
    expect(accepted(jpeg)).toMatchObject({
      type: 'image/jpeg',
      widthPx: 96,
      heightPx: 64,
      orientation: 1,
      progressive: false,
      components: 3,
      endOffset: jpeg.length,
      trailingBytes: 0,
    });
    expect(accepted(png)).toMatchObject({
      type: 'image/png',
      widthPx: 96,
      heightPx: 64,
      orientation: 1,
      bitDepth: 8,
      colorType: 2,
      interlaced: false,
      endOffset: png.length,
      trailingBytes: 0,
    });
    expect(accepted(progressive)).toMatchObject({ progressive: true });
  });

  test('a view into a larger buffer is read within its own bounds', () => {
    const request = Buffer.concat([Buffer.alloc(1001, 0xff), jpeg, png, Buffer.alloc(500, 0xff)]);
    const first = request.subarray(1001, 1001 + jpeg.length);
    const second = request.subarray(1001 + jpeg.length, 1001 + jpeg.length + png.length);
    expect(accepted(first)).toEqual(accepted(jpeg));
    expect(accepted(second)).toEqual(accepted(png));
    expect(refused(first.subarray(0, -2)).reason).toBe('truncated');
  });

  test.each([
    ['a GIF image', 'GIF89a\x01\0'],
    ['a WebP image', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['a HEIC image', '\0\0\0\x18ftypheic\0\0\0\0'],
    ['an AVIF image', '\0\0\0\x18ftypavif\0\0\0\0'],
    ['a video', '\0\0\0\x18ftypmp42\0\0\0\0'],
    ['a TIFF image or camera raw file', 'II*\0\x08\0\0\0'],
    ['a TIFF image or camera raw file', 'MM\0*\0\0\0\x08'],
    ['a DICOM file', `${'\0'.repeat(128)}DICM`],
    ['a PDF document', '%PDF-1.7\n'],
    ['a ZIP archive or Office document', 'PK\x03\x04\x14\0'],
    ['a BMP image', 'BM\x36\0\0\0'],
    ['an SVG image', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['an SVG image', '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- x --><svg>'],
    ['an SVG image', '\xff\xfe<\0s\0v\0g\0>\0'],
    ['an HTML page', '\n <!DOCTYPE html><html>'],
    ['an XML document', '<?xml version="1.0"?><a/>'],
  ])('%s is refused by name', (name, start) => {
    expect(refused(text(start))).toEqual({
      ok: false,
      reason: 'not_jpeg_or_png',
      detail: `The file is not a JPEG or PNG; it looks like ${name}.`,
    });
  });

  test('bytes of no known format are refused without a guess', () => {
    expect(refused(text('hello, this is no image'))).toMatchObject({
      reason: 'not_jpeg_or_png',
      detail: 'The file is not a JPEG or PNG.',
    });
    expect(refused(Buffer.alloc(0))).toMatchObject({ reason: 'empty' });
    expect(refused(Buffer.concat([Buffer.from([0]), jpeg]))).toMatchObject({ reason: 'not_jpeg_or_png' });
  });
});

describe('a file that was cut off is never accepted', () => {
  test.each([
    ['JPEG', jpeg],
    ['progressive JPEG', progressive],
    ['PNG', png],
  ])('%s, cut at every offset', (_, file) => {
    for (let length = 1; length < file.length; length += 1) {
      expect(refused(file.subarray(0, length)).reason, `cut at ${length}`).toBe('truncated');
    }
  });

  test('a PNG damaged by a transfer as text is named as such', () => {
    expect(refused(Buffer.from(png.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'))).toMatchObject({
      reason: 'corrupt',
      detail: 'The PNG was damaged by a transfer as text.',
    });
  });
});

describe('what follows the picture is counted, not read', () => {
  const tail = text('<script>alert(1)</script>PK\x03\x04\xff\xd8\xff\xd9IEND');

  test.each([
    ['JPEG', jpeg],
    ['progressive JPEG', progressive],
    ['PNG', png],
  ])('%s', (_, file) => {
    expect(accepted(Buffer.concat([file, tail]))).toMatchObject({
      endOffset: file.length,
      trailingBytes: tail.length,
    });
  });
});

describe('JPEG structure', () => {
  test('a whole JPEG inside a segment (a thumbnail) does not end the picture', () => {
    expect(accepted(withJpegSegment(jpeg, 0xe1, Buffer.concat([text('Exif\0\0'), jpeg])))).toMatchObject({
      widthPx: 96,
      endOffset: jpeg.length * 2 + 4 + 6,
    });
  });

  test('fill bytes before markers and stray bytes between segments are skipped', () => {
    const at = jpeg.indexOf(Buffer.from([0xff, SOF0]));
    const filled = Buffer.concat([jpeg.subarray(0, at), text('\xff\xff\xff'), jpeg.subarray(at)]);
    const stray = Buffer.concat([jpeg.subarray(0, at), text('\0\0junk'), jpeg.subarray(at)]);
    expect(accepted(filled)).toMatchObject({ widthPx: 96, endOffset: jpeg.length + 3 });
    expect(accepted(stray)).toMatchObject({ widthPx: 96, endOffset: jpeg.length + 6 });
  });

  test('restart markers and stuffed bytes belong to the scan', () => {
    const inScan = Buffer.concat([
      jpeg.subarray(0, -2),
      text('\xff\xd0\xff\0\xff\xd7\xff\x01'),
      jpeg.subarray(-2),
    ]);
    expect(accepted(inScan)).toMatchObject({ endOffset: jpeg.length + 8 });
  });

  test.each<readonly [number, string]>([
    [0xc3, 'lossless'],
    ...[0xc5, 0xc6, 0xc7, 0xcd, 0xce, 0xcf, 0xde, 0xdf].map((marker) => [marker, 'hierarchical'] as const),
    ...[0xc9, 0xca, 0xcb].map((marker) => [marker, 'arithmetic-coded'] as const),
  ])('process %i is unsupported and named', (marker, name) => {
    const copy = Buffer.from(jpeg);
    copy[copy.indexOf(Buffer.from([0xff, SOF0])) + 1] = marker;
    expect(refused(copy)).toMatchObject({
      reason: 'unsupported',
      detail: expect.stringContaining(name) as string,
    });
  });

  test('12 bits, CMYK and a height in DNL are unsupported', () => {
    expect(refused(patched(jpeg, SOF0, 2, 12))).toMatchObject({ reason: 'unsupported' });
    const at = jpeg.indexOf(Buffer.from([0xff, SOF0]));
    const frame = Buffer.from([
      0xff,
      SOF0,
      0,
      20,
      8,
      0,
      64,
      0,
      96,
      4,
      1,
      17,
      0,
      2,
      17,
      0,
      3,
      17,
      0,
      4,
      17,
      0,
    ]);
    const cmyk = Buffer.concat([jpeg.subarray(0, at), frame, jpeg.subarray(at + 19)]);
    expect(refused(cmyk)).toMatchObject({
      reason: 'unsupported',
      detail: expect.stringContaining('CMYK') as string,
    });
    const dnl = Buffer.concat([
      jpeg.subarray(0, -2),
      Buffer.from([0xff, 0xdc, 0, 4, 0, 64]),
      jpeg.subarray(-2),
    ]);
    expect(refused(dnl)).toMatchObject({
      reason: 'unsupported',
      detail: expect.stringContaining('DNL') as string,
    });
  });

  test('zero dimensions, absurd lengths and wrong order are corrupt', () => {
    const zeroWidth = patched(patched(jpeg, SOF0, 5, 0), SOF0, 6, 0);
    expect(refused(zeroWidth)).toMatchObject({
      reason: 'corrupt',
      detail: expect.stringContaining('zero') as string,
    });
    expect(refused(patched(patched(jpeg, 0xdb, 0, 0), 0xdb, 1, 1)).reason).toBe('corrupt');
    expect(refused(patched(patched(jpeg, 0xdb, 0, 255), 0xdb, 1, 255)).reason).not.toBe('not_jpeg_or_png');
    expect(refused(Buffer.from([0xff, 0xd8, 0xff, 0xd9])).reason).toBe('corrupt');
    expect(refused(Buffer.concat([jpeg.subarray(0, 2), jpeg])).reason).toBe('corrupt');
    expect(refused(withJpegSegment(jpeg, 0xf0, Buffer.alloc(4))).reason).toBe('corrupt');
    const scanFirst = Buffer.concat([
      jpeg.subarray(0, 2),
      jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda]))),
    ]);
    expect(refused(scanFirst).reason).toBe('corrupt');
  });

  test('a picture without all of its colour components is corrupt', () => {
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const lumaOnly = Buffer.from([
      0xff,
      0xda,
      0,
      8,
      1,
      jpeg[scan + 5] ?? 0,
      0,
      0,
      63,
      0,
      1,
      2,
      3,
      0xff,
      0xd9,
    ]);
    expect(refused(Buffer.concat([jpeg.subarray(0, scan), lumaOnly]))).toMatchObject({
      reason: 'corrupt',
      detail: 'The JPEG lacks a colour component.',
    });
  });

  /** The file with its first segment of `marker` changed, its length put right. */
  const changed = (file: Buffer, marker: number, change: (payload: Buffer) => Buffer) => {
    const at = file.indexOf(Buffer.from([0xff, marker]));
    const end = at + 2 + file.readUInt16BE(at + 2);
    const payload = change(Buffer.from(file.subarray(at + 4, end)));
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(payload.length + 2, 2);
    return Buffer.concat([file.subarray(0, at), head, payload, file.subarray(end)]);
  };
  const and = (payload: Buffer, ...more: number[]) => Buffer.concat([payload, Buffer.from(more)]);
  const frameOf = (file: Buffer) => {
    const at = file.indexOf(Buffer.from([0xff, SOF0]));
    return file.subarray(at, at + 2 + file.readUInt16BE(at + 2));
  };
  const withSecondFrame = () => {
    const at = jpeg.indexOf(frameOf(jpeg));
    const larger = patched(Buffer.from(frameOf(jpeg)), SOF0, 3, 0xff);
    return Buffer.concat([jpeg.subarray(0, at), frameOf(jpeg), larger, jpeg.subarray(at + larger.length)]);
  };
  /** Without the scans that begin at the first coefficient, that is the mean of each block; or but for their refinements. */
  const withoutMeans = (file: Buffer, { keepsRefinements = false } = {}) => {
    const found = accepted(file);
    const parts: readonly { marker?: number; start: number; end: number }[] = found.parts;
    const isGone = ({ marker, start }: { marker?: number; start: number }) => {
      const [first, , approximation = 0] = file.subarray(start + 5 + 2 * (file[start + 4] ?? 0));
      return marker === 0xda && first === 0 && !(keepsRefinements && approximation >> 4 > 0);
    };
    return Buffer.concat([
      file.subarray(0, 2),
      ...parts.filter((part) => !isGone(part)).map(({ start, end }) => file.subarray(start, end)),
    ]);
  };

  test.each([
    ['a second, larger frame header', withSecondFrame(), 'two frame headers'],
    ['a frame header with bytes to spare', changed(jpeg, SOF0, (frame) => and(frame, 0)), 'frame header'],
    ['a frame header cut short', changed(jpeg, SOF0, (frame) => frame.subarray(0, 5)), 'frame header'],
    ['a scan header with bytes to spare', changed(jpeg, 0xda, (scan) => and(scan, 0)), 'scan header'],
    ['a scan header of no component', changed(jpeg, 0xda, () => Buffer.from([0, 0, 63, 0])), 'scan header'],
    ['a scan of an unknown component', patched(jpeg, 0xda, 3, 99), 'the frame does not have'],
    ['no scan that begins its components', withoutMeans(progressive), 'lacks a colour component'],
    [
      'refinements of what no scan has begun',
      withoutMeans(progressive, { keepsRefinements: true }),
      'lacks a colour component',
    ],
  ])('%s: corrupt', (_, file, detail) => {
    expect(refused(file)).toMatchObject({
      reason: 'corrupt',
      detail: expect.stringContaining(detail) as string,
    });
  });

  test('two colour components are unsupported', () => {
    const frame = (payload: Buffer) =>
      Buffer.concat([payload.subarray(0, 5), Buffer.from([2]), payload.subarray(6, 12)]);
    expect(refused(changed(jpeg, SOF0, frame))).toMatchObject({
      reason: 'unsupported',
      detail: expect.stringContaining('2 colour components') as string,
    });
  });

  test('thousands of segments and hundreds of scans are refused', () => {
    const comments = Buffer.concat(Array.from({ length: 5000 }, () => Buffer.from([0xff, 0xfe, 0, 2])));
    expect(refused(Buffer.concat([jpeg.subarray(0, 2), comments, jpeg.subarray(2)])).reason).toBe('corrupt');
    const scan = progressive.subarray(progressive.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
    const scans = Buffer.concat(Array.from({ length: 101 }, () => scan));
    expect(
      refused(Buffer.concat([progressive.subarray(0, -2), scans, progressive.subarray(-2)])),
    ).toMatchObject({
      reason: 'unsupported',
      detail: expect.stringContaining('scans') as string,
    });
  });
});

describe('PNG structure', () => {
  const shape = { width: 7, height: 5 };
  const head = ihdr(shape);
  const idat = anyPng(shape).subarray(8 + head.length, -IEND.length);
  const file = (...chunks: Uint8Array[]) => pngFile(head, ...chunks);
  const palette = (bytes: number) => pngChunk('PLTE', Buffer.alloc(bytes));
  /** A header with a byte of its data changed. */
  const withByte = (at: number, value: number) => {
    const data = Buffer.from(head.subarray(8, -4));
    data[at] = value;
    return pngChunk('IHDR', data);
  };

  test.each([
    [0, 1],
    [0, 16],
    [2, 8],
    [2, 16],
    [3, 1],
    [3, 8],
    [4, 16],
    [6, 8],
    [6, 16],
  ])('colour type %i with %i bits, plain and interlaced', (colorType, bitDepth) => {
    for (const interlace of [0, 1]) {
      expect(accepted(anyPng({ ...shape, colorType, bitDepth, interlace }))).toMatchObject({
        widthPx: 7,
        heightPx: 5,
        colorType,
        bitDepth,
        interlaced: interlace === 1,
      });
    }
  });

  test('a header larger than any limit is reported, for the caller to refuse', () => {
    expect(accepted(blankPng(20_000, 10_000))).toMatchObject({ widthPx: 20_000, heightPx: 10_000 });
  });

  test('a flipped bit anywhere is found', () => {
    for (let at = 8; at < png.length; at += 7) {
      const copy = Buffer.from(png);
      copy[at] = (copy[at] ?? 0) ^ 0x10;
      expect(inspectImage(copy).ok, `byte ${at}`).toBe(false);
    }
  });

  test.each([
    ['zero width', { width: 0, height: 5 }],
    ['a width over 2³¹−1', { width: 0x8000_0000, height: 5 }],
    ['bit depth 3', { ...shape, bitDepth: 3 }],
    ['colour type 5', { ...shape, colorType: 5 }],
    ['16-bit palette', { ...shape, colorType: 3, bitDepth: 16 }],
  ])('IHDR with %s is corrupt', (_, broken) => {
    expect(refused(pngFile(ihdr(broken), idat, IEND)).reason).toBe('corrupt');
  });

  test.each([
    ['IHDR is not first', pngFile(pngChunk('tEXt', text('a\0b')), head, idat, IEND), 'corrupt'],
    ['two IHDR', file(head, idat, IEND), 'corrupt'],
    ['a short IHDR', pngFile(pngChunk('IHDR', Buffer.alloc(12)), idat, IEND), 'corrupt'],
    ['no IDAT', file(IEND), 'corrupt'],
    ['IDAT in two places', file(idat, pngChunk('tEXt', text('a\0b')), idat, IEND), 'corrupt'],
    ['a palette after the picture', file(idat, pngChunk('PLTE', Buffer.alloc(3)), IEND), 'corrupt'],
    [
      'an animation without its control chunk',
      file(idat, pngChunk('fdAT', Buffer.alloc(4)), IEND),
      'unsupported',
    ],
    ['an end with room for text', file(idat, pngChunk('IEND', text('secret'))), 'corrupt'],
    ['two palettes', file(palette(3), palette(3), idat, IEND), 'corrupt'],
    ['a palette of 257 colours', file(palette(771), idat, IEND), 'corrupt'],
    ['compression method 1', pngFile(withByte(10, 1), idat, IEND), 'unsupported'],
    ['filter method 1', pngFile(withByte(11, 1), idat, IEND), 'unsupported'],
    ['a palette of 4 bytes', file(pngChunk('PLTE', Buffer.alloc(4)), idat, IEND), 'corrupt'],
    ['a chunk name that is no name', file(pngChunk('a\0b!', Buffer.alloc(0)), idat, IEND), 'corrupt'],
    ['an unknown critical chunk', file(pngChunk('ABCD', Buffer.alloc(0)), idat, IEND), 'unsupported'],
    ['an animation', file(pngChunk('acTL', Buffer.alloc(8)), idat, IEND), 'unsupported'],
    ['an app icon', pngFile(pngChunk('CgBI', Buffer.alloc(4)), head, idat, IEND), 'unsupported'],
    ['a palette picture without palette', pngFile(ihdr({ ...shape, colorType: 3 }), idat, IEND), 'corrupt'],
    ['interlace method 2', pngFile(ihdr({ ...shape, interlace: 2 }), idat, IEND), 'unsupported'],
  ])('%s', (_, bytes, reason) => {
    expect(refused(bytes).reason).toBe(reason);
  });

  test('a length past the end is a cut-off file, an absurd one is damage', () => {
    const long = Buffer.from(png);
    long.writeUInt32BE(0x7fff_ffff, 8 + head.length);
    expect(refused(long).reason).toBe('truncated');
    long.writeUInt32BE(0xffff_ffff, 8 + head.length);
    expect(refused(long).reason).toBe('corrupt');
  });

  test('IDAT in a thousand pieces is one picture, a hundred thousand chunks are not', () => {
    const piece = pngChunk('IDAT', rawRows(shape).subarray(0, 1));
    const pieces = Array.from({ length: 1000 }, () => piece);
    const facts = accepted(file(...pieces, IEND));
    expect(facts.parts).toHaveLength(3);
    expect(refused(file(Buffer.concat(Array.from({ length: 100_000 }, () => piece)), IEND)).reason).toBe(
      'corrupt',
    );
    const note = pngChunk('tEXt', text('a\0b'));
    expect(refused(file(...Array.from({ length: 2000 }, () => note), idat, IEND)).reason).toBe('corrupt');
  });
});

describe('EXIF orientation', () => {
  const tiff = (value: number, little: boolean, type = 3) => {
    const block = Buffer.alloc(38);
    const view = new DataView(block.buffer, block.byteOffset, block.length);
    block.write(little ? 'II' : 'MM', 'latin1');
    view.setUint16(2, 42, little);
    view.setUint32(4, 8, little);
    view.setUint16(8, 2, little);
    view.setUint16(10, 0x010f, little); // another tag first
    view.setUint16(22, 0x0112, little);
    view.setUint16(24, type, little);
    view.setUint32(26, 1, little);
    view.setUint16(30, value, little);
    return block;
  };
  const inJpeg = (block: Uint8Array) => withJpegSegment(jpeg, 0xe1, Buffer.concat([text('Exif\0\0'), block]));
  const inPng = (block: Uint8Array) => encodePng(pixels, { chunks: [pngChunk('eXIf', Buffer.from(block))] });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('%i is read in both byte orders and both formats', (value) => {
    for (const little of [true, false]) {
      expect(accepted(inJpeg(tiff(value, little))).orientation).toBe(value);
      expect(accepted(inPng(tiff(value, little))).orientation).toBe(value);
    }
    expect(accepted(withExifOrientation(jpeg, value)).orientation).toBe(value);
  });

  test('values out of range, of a wrong type, in twos and of no TIFF are upright', () => {
    const [two, other] = [tiff(6, false), tiff(6, false)];
    two.writeUInt32BE(2, 26);
    other.writeUInt16BE(43, 2);
    for (const block of [tiff(0, true), tiff(9, false), tiff(6, true, 4), two, other]) {
      expect(accepted(inJpeg(block)).orientation).toBe(1);
    }
  });

  test('broken offsets and cut-off directories are upright', () => {
    const whole = tiff(6, false);
    for (let length = 0; length < 32; length += 1) {
      expect(accepted(inJpeg(whole.subarray(0, length))).orientation, `cut at ${length}`).toBe(1);
    }
    for (const offset of [0, 4, 37, 38, 39, 0x7fff_ffff, 0xffff_ffff]) {
      const block = Buffer.from(whole);
      block.writeUInt32BE(offset, 4);
      expect(accepted(inJpeg(block)).orientation, `directory at ${offset}`).toBe(1);
    }
    const many = Buffer.from(whole);
    many.writeUInt16BE(0xffff, 8);
    many.writeUInt16BE(0x0100, 22);
    expect(accepted(inJpeg(many)).orientation).toBe(1);
  });

  test('the first EXIF block with an orientation counts', () => {
    const both = withExifOrientation(withExifOrientation(jpeg, 3), 6);
    expect(accepted(both).orientation).toBe(6);
  });
});

describe('scans cost a pass over the picture each, however few bytes they have', () => {
  test.each([
    ['100 scans of 49 megapixels', 7000, 7000, 100, false],
    ['13 scans of 49 megapixels', 7000, 7000, 13, false],
    ['12 scans of 49 megapixels', 7000, 7000, 12, true],
    ['13 scans of 12 megapixels', 4000, 3000, 13, true],
    ['51 scans of 12 megapixels', 4000, 3000, 51, false],
    ['100 scans of 6 megapixels', 3000, 2000, 100, true],
  ] as const)('%s', (_name, width, height, scans, accepted) => {
    const file = scanBomb({ width, height, scans });
    expect(file.length).toBeLessThan(200_000);
    expect(inspectImage(file)).toMatchObject(accepted ? { ok: true } : { ok: false, reason: 'unsupported' });
  });
});

describe('a sequential JPEG is complete after a scan of all its components', () => {
  const scanOf = (file: Buffer) => {
    const found = inspectImage(file);
    if (!found.ok || found.type !== 'image/jpeg') throw new Error('refused');
    const scan = found.parts.find(({ marker }) => marker === 0xda);
    return { start: scan?.start ?? 0, end: scan?.end ?? 0 };
  };
  const { start, end } = scanOf(jpeg);
  const behind = (...added: Buffer[]) => Buffer.concat([jpeg.subarray(0, end), ...added, jpeg.subarray(end)]);

  test.each([
    ['the same scan again', behind(jpeg.subarray(start, end))],
    ['another table', behind(Buffer.from([0xff, 0xdd, 0, 4, 0, 9]))],
  ])('%s is refused: decoders differ in what they make of it', (_, file) => {
    expect(inspectImage(file)).toMatchObject({ ok: false, reason: 'corrupt' });
  });

  test.each([0xe0, 0xe1, 0xef, 0xfe])('metadata of the marker %i behind it are accepted', (marker) => {
    expect(inspectImage(behind(Buffer.from([0xff, marker, 0, 4, 65, 66])))).toMatchObject({ ok: true });
  });
});

/** Of this thread, in ms: a core that is busy with something else says nothing about us. */
function ownTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** How often `value` comes after ff, looked for byte by byte. */
function countOf(bytes: Uint8Array, value: number): number {
  let count = 0;
  for (let at = 1; at < bytes.length; at += 1) if (bytes[at - 1] === 0xff && bytes[at] === value) count += 1;
  return count;
}

describe('the search for the next marker takes the same time for any bytes', () => {
  const apart = (bytes: number) => `\xff\0${'x'.repeat(bytes - 2)}`;
  test.each([
    ['stuffed ff alone', '\xff\0'],
    ['restart markers', '\xff\xd0'],
    ['fill bytes', '\xff'],
    ['stuffed ff in threes', '\xff\0\0'],
    ['stuffed ff every 16 bytes', apart(16)],
    ['stuffed ff every 33 bytes', apart(33)],
    ['stuffed ff every 70 bytes', apart(70)],
    ['no ff', 'x'],
  ])('15 MB of %s cost no more than a few plain passes over them', (_, unit) => {
    const frame = jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda])) + 14);
    const file = Buffer.concat([frame, Buffer.alloc(15_000_000, unit, 'latin1')]);
    const rounds = Array.from({ length: 4 }, () => ({
      plain: ownTime(() => expect(countOf(file, 0xd9)).toBeGreaterThanOrEqual(0)),
      ours: ownTime(() => expect(inspectImage(file)).toMatchObject({ ok: false, reason: 'truncated' })),
    }));
    const least = (whose: 'plain' | 'ours') => Math.min(...rounds.map((round) => round[whose]));
    // 0.4 to 1.4 of a pass; a native search that starts again at each ff takes four and more.
    expect(least('ours')).toBeLessThan(3 * least('plain'));
  });
});
