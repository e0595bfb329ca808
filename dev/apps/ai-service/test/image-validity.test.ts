import { describe, expect, test } from 'vitest';
import { inspectImage, judgeHeader } from '../image/inspect.ts';
import { fitWithin, measure, type Measurements } from '../image/measure.ts';
import { judge, type ImageIssue } from '../image/verdict.ts';
import {
  blankPng,
  encodeImage,
  encodeJpeg,
  encodePng,
  flatImage,
  mapPixels,
  skinPhoto,
  skinPixels,
  withExifOrientation,
  type Pixels,
} from '../../../../test/support/images.ts';

async function inspect(bytes: Buffer, dermoscopic = false) {
  const atOnce = judgeHeader(bytes);
  if (atOnce === 'too_many_pixels') throw new Error('too many pixels');
  return atOnce ?? inspectImage(bytes, dermoscopic);
}

/** Every colour component through `change`. */
function recolored(
  pixels: Pixels,
  change: (value: number, channel: number, x: number, y: number) => number,
): Pixels {
  const { width, height, data } = pixels;
  return mapPixels(width, height, (x, y) => {
    const at = (y * width + x) * 4;
    const component = (channel: number) => change(data[at + channel] ?? 0, channel, x, y);
    return [component(0), component(1), component(2)];
  });
}

/** Box blur of (2r + 1)² pixels. */
function blurred(pixels: Pixels, radius: number): Pixels {
  const { width, height, data } = pixels;
  return mapPixels(width, height, (x, y) => {
    const sums = [0, 0, 0] as [number, number, number];
    let count = 0;
    for (let j = Math.max(0, y - radius); j <= Math.min(height - 1, y + radius); j++) {
      for (let i = Math.max(0, x - radius); i <= Math.min(width - 1, x + radius); i++) {
        for (const channel of [0, 1, 2] as const) sums[channel] += data[(j * width + i) * 4 + channel] ?? 0;
        count++;
      }
    }
    return [sums[0] / count, sums[1] / count, sums[2] / count];
  });
}

describe('an acceptable photo', () => {
  test.each(['jpeg', 'png'] as const)('passes as %s without an issue', async (format) => {
    const { verdict, measured } = await inspect(await skinPhoto({ width: 1024, height: 768, format }));
    expect(verdict).toMatchObject({ isValid: true, issues: [] });
    expect(verdict.score).toBeGreaterThan(0.7);
    expect(measured).toMatchObject({ widthPx: 1024, heightPx: 768 });
  });

  test('gets the same verdict whichever way the camera was held', async () => {
    const upright = await skinPhoto({ format: 'jpeg' });
    const asTaken = await inspect(upright);
    for (const orientation of [3, 6, 8]) {
      const turned = await inspect(withExifOrientation(upright, orientation));
      expect(turned.verdict.isValid).toBe(asTaken.verdict.isValid);
      expect(turned.verdict.score).toBeCloseTo(asTaken.verdict.score, 2);
    }
    const quarterTurn = await inspect(withExifOrientation(upright, 6));
    expect(quarterTurn.measured).toMatchObject({ widthPx: 480, heightPx: 640 });
  });

  test('keeps its verdict when it carries an alpha channel', async () => {
    const pixels = skinPixels();
    const opaque = await inspect(encodePng(pixels));
    const withAlpha = await inspect(encodePng(pixels, { alpha: true }));
    expect(withAlpha).toEqual(opaque);
  });

  test('is judged the same each time', async () => {
    const photo = await skinPhoto({ format: 'jpeg' });
    expect(await inspect(photo)).toEqual(await inspect(photo));
  });
});

const twoColors = (share: number) =>
  mapPixels(640, 480, (_x, y) => (y < 480 * share ? [200, 150, 130] : [90, 60, 50]));

describe('each fault of a photo is named', () => {
  const cases: [issue: ImageIssue, isValid: boolean, photo: () => Promise<Buffer> | Buffer][] = [
    ['resolution_too_low', false, () => skinPhoto({ width: 260, height: 190 })],
    ['low_resolution', true, () => skinPhoto({ width: 400, height: 300 })],
    ['blurry', false, () => encodePng(blurred(skinPixels(), 6))],
    [
      'slightly_blurry',
      true,
      () => encodePng(recolored(blurred(skinPixels(), 1), (value) => 140 + (value - 140) * 0.7)),
    ],
    ['too_dark', false, () => encodePng(recolored(skinPixels(), (value) => value * 0.25))],
    ['dark', true, () => encodePng(recolored(skinPixels(), (value) => value * 0.42))],
    ['overexposed', false, () => encodePng(recolored(skinPixels(), (value) => value * 1.8 + 30))],
    [
      'glare',
      true,
      () => encodePng(recolored(skinPixels(), (value, _channel, x) => (x < 640 * 0.2 ? value + 140 : value))),
    ],
    ['low_contrast', false, () => encodePng(recolored(skinPixels(), (value) => 150 + (value - 150) * 0.1))],
    ['low_contrast', true, () => encodePng(recolored(skinPixels(), (value) => 140 + (value - 140) * 0.35))],
    [
      'no_skin_detected',
      false,
      () =>
        encodePng(recolored(skinPixels(), (value, channel) => (channel === 2 ? value + 90 : value * 0.6))),
    ],
    [
      'little_skin_visible',
      true,
      () =>
        encodePng(
          recolored(skinPixels(), (value, channel, x) => {
            if (x < 640 * 0.05) return value;
            return channel === 2 ? value + 90 : value * 0.7;
          }),
        ),
    ],
    ['not_a_photo', false, () => encodePng(twoColors(0.5))],
    [
      'uneven_lighting',
      true,
      () => encodePng(recolored(skinPixels(), (value, _channel, x) => value * (0.05 + (1.4 * x) / 640))),
    ],
    ['bad_framing', true, () => skinPhoto({ width: 2100, height: 500 })],
    ['unreadable', false, async () => (await skinPhoto({ format: 'jpeg' })).subarray(0, 20_000)],
    ['unreadable', false, async () => (await skinPhoto({ format: 'png' })).subarray(0, 20_000)],
    ['unreadable', false, async () => (await skinPhoto({ format: 'jpeg' })).subarray(0, 300)],
    ['unreadable', false, () => Buffer.alloc(0)],
    ['unsupported_format', false, () => Buffer.from('GIF89a, but no picture')],
    ['unsupported_format', false, () => Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1')],
    ['unsupported_format', false, () => Buffer.from('\0\0\0\x18ftypheic', 'latin1')],
  ];

  test.each(cases)('%s (valid: %s)', async (issue, isValid, photo) => {
    const { verdict } = await inspect(await photo());
    expect(verdict.issues).toContain(issue);
    expect(verdict.isValid).toBe(isValid);
    if (!isValid) expect(verdict.score).toBeLessThan(0.4);
  });

  test('a damaged row inside a PNG is unreadable, and the next photo is not harmed by it', async () => {
    const png = await skinPhoto();
    const damaged = Buffer.from(png);
    damaged[5000] = (damaged[5000] ?? 0) ^ 0xff;
    expect((await inspect(damaged)).verdict.issues).toEqual(['unreadable']);
    expect((await inspect(png)).verdict.isValid).toBe(true);
  });

  test('a flat colour is no photo in either format', async () => {
    for (const format of ['jpeg', 'png'] as const) {
      const { verdict } = await inspect(await flatImage({ format }));
      expect(verdict.issues).toEqual(expect.arrayContaining(['not_a_photo', 'blurry', 'low_contrast']));
    }
  });

  test('more than 50 megapixels are refused from the header alone', () => {
    expect(judgeHeader(blankPng(10_000, 10_000))).toBe('too_many_pixels');
    expect(judgeHeader(blankPng(7_000, 7_000))).toBeUndefined();
  });

  test('a dermoscopic picture is not asked to look like skin', async () => {
    const tinted = encodePng(
      recolored(skinPixels(), (value, channel) => (channel === 2 ? value + 90 : value * 0.6)),
    );
    expect((await inspect(tinted, true)).verdict.issues).not.toContain('no_skin_detected');
  });
});

const good: Measurements = {
  widthPx: 1000,
  heightPx: 1000,
  sharpness: 100,
  brightness: 140,
  contrast: 20,
  overexposedShare: 0,
  entropyBits: 6,
  unevenness: 50,
  skinShare: 0.9,
};

describe('the verdict', () => {
  test('adds the five parts of the score as written', () => {
    const { score } = judge({
      ...good,
      widthPx: 435,
      heightPx: 435,
      sharpness: 12,
      contrast: 7.5,
      skinShare: 0.15,
    });
    const expected = 0.35 * (Math.log(4) / Math.log(20)) + 0.25 + 0.2 * 0.5 + 0.1 * 0.5 + 0.1 * 0.5;
    expect(score).toBeCloseTo(expected, 3);
  });

  test('counts only the worst exposure fault', () => {
    const dim = judge({ ...good, brightness: 65 }).score;
    expect(judge(good).score - dim).toBeCloseTo(0.25 * 0.25, 3);
    expect(judge({ ...good, brightness: 65, overexposedShare: 0.05 }).score).toBe(dim);
  });

  test('caps the score below the pass mark when any limit is broken', () => {
    expect(judge({ ...good, entropyBits: 2.9 })).toEqual({
      isValid: false,
      score: 0.39,
      issues: ['not_a_photo'],
    });
  });

  test('names poor quality when no single measure explains a low score', () => {
    const washedOut = {
      ...good,
      widthPx: 480,
      heightPx: 480,
      brightness: 238,
      contrast: 9,
      sharpness: 12,
      skinShare: 0.12,
    };
    const verdict = judge(washedOut);
    expect(verdict.score).toBeLessThan(0.4);
    expect(verdict).toMatchObject({ isValid: false, issues: ['poor_quality'] });
  });

  test('does not call a picture blurred that is too dark to tell', () => {
    expect(judge({ ...good, brightness: 49, sharpness: 1 }).issues).toEqual(['too_dark']);
  });

  test.each([
    ['sharpness', 5, 'blurry'],
    ['sharpness', 12, 'slightly_blurry'],
    ['brightness', 50, 'too_dark'],
    ['brightness', 75, 'dark'],
    ['contrast', 5, 'low_contrast'],
    ['contrast', 9, 'low_contrast'],
    ['skinShare', 0.01, 'no_skin_detected'],
    ['skinShare', 0.12, 'little_skin_visible'],
    ['entropyBits', 3, 'not_a_photo'],
    ['widthPx', 200, 'resolution_too_low'],
    ['widthPx', 480, 'low_resolution'],
  ] as const)('takes %s = %d as good enough to avoid %s, and less as not', (name, limit, issue) => {
    const issuesAt = (value: number) => judge({ ...good, [name]: value }).issues;
    expect(issuesAt(limit * 0.99)).toContain(issue);
    // The contrast limits share one code, so the exact limit of the failing one still warns.
    if (!(name === 'contrast' && limit === 5)) expect(issuesAt(limit)).not.toContain(issue);
    else expect(judge({ ...good, contrast: 5 }).isValid).toBe(true);
  });
});

describe('the measures', () => {
  test('of a one-pixel checkerboard are what the definitions give', () => {
    const board = mapPixels(64, 64, (x, y) => ((x + y) % 2 === 0 ? [200, 200, 200] : [100, 100, 100]));
    const measured = measure(board);
    expect(measured.brightness).toBeCloseTo(150, 3);
    expect(measured.contrast).toBeCloseTo(50, 3);
    // Each Laplacian is ±4 · 100.
    expect(measured.sharpness).toBeCloseTo(400 ** 2, 0);
    expect(measured.entropyBits).toBeCloseTo(1, 6);
    expect(measured.unevenness).toBeCloseTo(0, 3);
    expect(measured.skinShare).toBe(0);
  });

  test('compare the brightest with the darkest of sixteen tiles', () => {
    const halves = mapPixels(100, 100, (x) => (x < 50 ? [40, 40, 40] : [240, 240, 240]));
    expect(measure(halves).unevenness).toBeCloseTo(200, 3);
  });

  test('find skin of several tones, and none in blue, green or grey', () => {
    const shareOf = (color: [number, number, number]) => measure(mapPixels(32, 32, () => color)).skinShare;
    for (const tone of [
      [245, 222, 205],
      [224, 172, 140],
      [141, 85, 54],
      [87, 56, 41],
      [220, 140, 60],
      [200, 90, 80],
    ] as const) {
      expect(shareOf([...tone])).toBe(1);
    }
    for (const other of [
      [60, 90, 200],
      [40, 160, 60],
      [128, 128, 128],
    ] as const) {
      expect(shareOf([...other])).toBe(0);
    }
  });

  test('shrink by area, keep the mean and never enlarge', () => {
    const stripes = mapPixels(1500, 900, (x) => (x % 3 === 0 ? [255, 255, 255] : [0, 0, 0]));
    const small = fitWithin(stripes, 500);
    expect([small.width, small.height]).toEqual([500, 300]);
    expect([...small.data.subarray(0, 3)]).toEqual([85, 85, 85]);
    const tiny = mapPixels(10, 4, () => [1, 2, 3]);
    expect(fitWithin(tiny, 512)).toBe(tiny);
  });

  test('are taken at 512 px, whatever the size of the photo', () => {
    // Lines of one pixel in three, which average to an even grey at a third of the size.
    const lines = mapPixels(1536, 1536, (x) => (x % 3 === 0 ? [255, 255, 255] : [0, 0, 0]));
    expect(measure(lines).sharpness).toBeCloseTo(0, 6);
    expect(
      measure(mapPixels(512, 512, (x) => (x % 3 === 0 ? [255, 255, 255] : [0, 0, 0]))).sharpness,
    ).toBeGreaterThan(1000);
  });

  test('survive a picture of one pixel', async () => {
    const { verdict } = await inspect(
      await encodeImage(
        mapPixels(1, 1, () => [200, 150, 130]),
        'png',
      ),
    );
    expect(verdict.isValid).toBe(false);
    expect(Number.isFinite(verdict.score)).toBe(true);
  });

  test('see through JPEG compression: quality 60 changes no verdict', async () => {
    const { verdict } = await inspect(
      await encodeJpeg(skinPixels({ width: 1024, height: 768 }), { quality: 60 }),
    );
    expect(verdict.isValid).toBe(true);
  });
});
