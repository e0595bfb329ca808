// EXIF and ICC blocks as cameras write them.

export type Entry = [tag: number, value: string | number | Fraction[] | Buffer];
export type Fraction = readonly [numerator: number, denominator: number];

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** RATIONAL values as TIFF stores them. */
export function rationals(values: Fraction[], little: boolean): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.flat().entries()) {
    if (little) bytes.writeUInt32LE(value, index * 4);
    else bytes.writeUInt32BE(value, index * 4);
  }
  return bytes;
}

/** A TIFF block: IFD0 with the EXIF and GPS directories below it and a thumbnail in IFD1. */
export function tiffBlock(options: {
  little: boolean;
  ifd0: Entry[];
  exif?: Entry[];
  gps?: Entry[];
  thumbnail?: Buffer;
}): Buffer {
  const { little, thumbnail } = options;
  const u16 = (value: number) => {
    const bytes = Buffer.alloc(2);
    if (little) bytes.writeUInt16LE(value);
    else bytes.writeUInt16BE(value);
    return bytes;
  };
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    if (little) bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    return bytes;
  };
  const chunks: Buffer[] = [latin1(little ? 'II' : 'MM'), u16(42), u32(8)];
  let length = 8;

  const encode = (value: Entry[1]): [type: number, count: number, data: Buffer] => {
    if (typeof value === 'string') return [2, value.length + 1, latin1(`${value}\0`)];
    if (typeof value === 'number') return value > 0xffff ? [4, 1, u32(value)] : [3, 1, u16(value)];
    if (Buffer.isBuffer(value)) return [7, value.length, value];
    return [5, value.length, rationals(value, little)];
  };

  /** Appends a directory; `pointers` are entries that hold the offset of what `build` appends behind it. */
  const directory = (entries: Entry[], pointers: [tag: number, build: () => void][], next?: () => void) => {
    const start = length;
    const count = entries.length + pointers.length;
    const table = Buffer.alloc(2 + count * 12 + 4);
    chunks.push(table);
    length += table.length;
    const rows: Buffer[] = [];
    for (const [tag, value] of entries) {
      const [type, items, data] = encode(value);
      let field = Buffer.concat([data, Buffer.alloc(4)]).subarray(0, 4);
      if (data.length > 4) {
        field = u32(length);
        const padded = data.length % 2 === 0 ? data : Buffer.concat([data, Buffer.alloc(1)]);
        chunks.push(padded);
        length += padded.length;
      }
      rows.push(Buffer.concat([u16(tag), u16(type), u32(items), field]));
    }
    for (const [tag, build] of pointers) {
      rows.push(Buffer.concat([u16(tag), u16(4), u32(1), u32(length)]));
      build();
    }
    rows.sort((a, b) => (little ? a.readUInt16LE() - b.readUInt16LE() : a.readUInt16BE() - b.readUInt16BE()));
    const nextAt = next === undefined ? 0 : length;
    Buffer.concat([u16(count), ...rows, u32(nextAt)]).copy(table);
    next?.();
    return start;
  };

  const { exif, gps } = options;
  const below: [number, () => void][] = [];
  if (exif !== undefined) below.push([0x8769, () => void directory(exif, [])]);
  if (gps !== undefined) below.push([0x8825, () => void directory(gps, [])]);
  const ifd1 = (jpeg: Buffer) => () => {
    const append = () => {
      chunks.push(jpeg);
      length += jpeg.length;
    };
    directory(
      [
        [0x0103, 6],
        [0x0202, jpeg.length],
      ],
      [[0x0201, append]],
    );
  };
  directory(options.ifd0, below, thumbnail === undefined ? undefined : ifd1(thumbnail));
  return Buffer.concat(chunks);
}

/** A structurally valid ICC profile of `size` bytes: header, a description tag, filling. */
export function iccProfile(size: number): Buffer {
  const profile = Buffer.alloc(size);
  profile.writeUInt32BE(size, 0);
  profile.write('appl', 4, 'latin1');
  profile.writeUInt32BE(0x0400_0000, 8);
  profile.write('mntrRGB XYZ ', 12, 'latin1');
  profile.write('acsp', 36, 'latin1');
  profile.writeUInt32BE(1, 128);
  profile.write('desc', 132, 'latin1');
  profile.writeUInt32BE(144, 136);
  profile.writeUInt32BE(size - 144, 140);
  profile.write('desc\0\0\0\0\0\0\0\x0bDisplay P3', 144, 'latin1');
  for (let at = 200; at < size; at += 1) profile[at] = (at * 31) & 0xff;
  return profile;
}
