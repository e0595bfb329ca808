import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { isIccProfile, withoutDescriptions } from '../../../src/lib/image/icc.ts';
import { withJpegSegment } from '../../support/images.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** A profile with these tags, in order; data of the same name are shared. */
function profileWith(tags: readonly (readonly [name: string, data: Buffer])[]): Buffer {
  const table = 128 + 4 + tags.length * 12;
  const profile = Buffer.concat([Buffer.alloc(table), ...tags.map(([, data]) => data)]);
  profile.writeUInt32BE(profile.length, 0);
  profile.write('appl', 4, 'latin1');
  profile.writeUInt32BE(0x0400_0000, 8);
  profile.write('mntrRGB XYZ ', 12, 'latin1');
  profile.writeUInt16BE(2024, 24);
  profile.write('acspAPPL', 36, 'latin1');
  profile.write('DANAipad', 48, 'latin1');
  profile.write('DanaId0123456789abcd', 80, 'latin1');
  profile.writeUInt32BE(tags.length, 128);
  let at = table;
  for (const [index, [name, data]] of tags.entries()) {
    profile.write(name, 132 + index * 12, 'latin1');
    profile.writeUInt32BE(at, 136 + index * 12);
    profile.writeUInt32BE(data.length, 140 + index * 12);
    at += data.length;
  }
  return profile;
}

const mluc = (text: string) => {
  const body = Buffer.from(text, 'utf16le').swap16();
  const head = Buffer.alloc(28);
  head.write('mluc', 0, 'latin1');
  head.writeUInt32BE(1, 8);
  head.writeUInt32BE(12, 12);
  head.write('enUS', 16, 'latin1');
  head.writeUInt32BE(body.length, 20);
  head.writeUInt32BE(28, 24);
  return Buffer.concat([head, body]);
};
const xyz = (seed: number) => Buffer.concat([latin1('XYZ \0\0\0\0'), Buffer.alloc(12, seed)]);

describe('withoutDescriptions', () => {
  const profile = profileWith([
    ['desc', mluc("Dana's iPad")],
    ['cprt', latin1('text\0\0\0\0Copyright Dana Example\0')],
    ['rXYZ', xyz(1)],
    ['mmod', latin1('mmod\0\0\0\0serial-4711-serial')],
    ['gXYZ', xyz(2)],
    ['dmdd', latin1('desc\0\0\0\0\0\0\0\x0bDana display')],
  ]);
  const bare = Buffer.from(withoutDescriptions(profile));

  test('reveals no device, owner or time', () => {
    for (const secret of ['Dana', 'ipad', 'appl', 'APPL', 'serial', 'Copyright']) {
      expect(profile.includes(secret), secret).toBe(true);
      expect(bare.includes(secret), secret).toBe(false);
    }
    expect(bare.includes(Buffer.from('Dana', 'utf16le').swap16())).toBe(false);
    expect(bare.readUInt16BE(24)).toBe(0);
  });

  test('keeps every byte that a colour is computed from, its length and its tags', () => {
    expect(isIccProfile(bare, bare.length)).toBe(true);
    expect(bare.subarray(128, 132 + 6 * 12).equals(profile.subarray(128, 132 + 6 * 12))).toBe(true);
    for (const seed of [1, 2]) {
      expect(bare.indexOf(xyz(seed))).toBe(profile.indexOf(xyz(seed)));
    }
    expect(bare.subarray(64, 80).equals(profile.subarray(64, 80))).toBe(true);
    // An empty text of this type, which readers accept.
    const description = profile.indexOf('mluc');
    expect(bare.subarray(description, description + 4).equals(latin1('mluc'))).toBe(true);
    expect([bare.readUInt32BE(description + 8), bare.readUInt32BE(description + 12)]).toEqual([0, 12]);
  });

  test('of more than 256 tags the first count: a file has room for a million', () => {
    const many = (count: number) => [
      ...Array.from({ length: count }, () => ['gXYZ', xyz(1)] as const),
      ['rXYZ', xyz(2)] as const,
    ];
    const [within, beyond] = [255, 256].map((count) =>
      Buffer.from(withoutDescriptions(profileWith(many(count)))),
    );
    expect(within?.includes(xyz(2))).toBe(true);
    expect(beyond?.includes(xyz(1))).toBe(true);
    expect(beyond?.includes(xyz(2))).toBe(false);
  });

  test('a real profile gives the same colours as before', async () => {
    const pixels = Buffer.from(Array.from({ length: 64 * 3 }, (_, index) => (index * 37) & 255));
    const tagged = await sharp(pixels, { raw: { width: 8, height: 8, channels: 3 } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const { icc } = await sharp(tagged).metadata();
    if (icc === undefined) throw new Error('no profile');
    const raw = { raw: { width: 8, height: 8, channels: 3 } } as const;
    const untagged = await sharp(pixels, raw).jpeg({ quality: 100 }).toBuffer();
    const coloursUnder = (profile: Uint8Array) => {
      const part = Buffer.concat([latin1('ICC_PROFILE\0\x01\x01'), profile]);
      return sharp(withJpegSegment(untagged, 0xe2, part))
        .toColourspace('srgb')
        .raw()
        .toBuffer();
    };
    const plain = await coloursUnder(icc);
    expect(await coloursUnder(withoutDescriptions(icc))).toEqual(plain);
    expect(await sharp(untagged).raw().toBuffer()).not.toEqual(plain);
  });

  test.each([
    ['offsets beyond its end', (copy: Buffer) => copy.writeUInt32BE(0xffff_fff0, 136)],
    ['lengths beyond its end', (copy: Buffer) => copy.writeUInt32BE(0xffff_fff0, 140)],
    ['more tags than it has room for', (copy: Buffer) => copy.writeUInt32BE(0xffff_ffff, 128)],
  ])('a profile with %s is survived', (_, damage) => {
    const copy = Buffer.from(profile);
    damage(copy);
    expect(withoutDescriptions(copy)).toHaveLength(copy.length);
  });

  test('thousands of tags over the same megabytes take no longer than one', () => {
    const data = Buffer.alloc(4_000_000, 7);
    const tags = Array.from({ length: 20_000 }, () => ['A2B0', Buffer.alloc(0)] as const);
    const large = profileWith([...tags, ['B2A0', data]]);
    for (let index = 0; index < tags.length; index += 1) {
      large.writeUInt32BE(large.length - data.length, 136 + index * 12);
      large.writeUInt32BE(data.length, 140 + index * 12);
    }
    const oneTag = profileWith([['A2B0', data]]);
    const timeOf = (some: Buffer) => {
      const started = performance.now();
      expect(withoutDescriptions(some)).toHaveLength(some.length);
      return performance.now() - started;
    };
    // As many copies of the data as tags would take thousands of times as long.
    const ratios = Array.from({ length: 5 }, () => timeOf(large) / timeOf(oneTag));
    expect(Math.min(...ratios)).toBeLessThan(200);
  });
});
