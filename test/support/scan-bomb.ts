/**
 * A grey progressive JPEG of any size whose scans all but one say "nothing here" for runs of 32,767 blocks: a few bytes
 * for each pass over the whole picture. Structurally valid, and decodable.
 */
export function scanBomb({ width, height, scans }: { width: number; height: number; scans: number }): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
  const segment = (marker: number, ...payload: Buffer[]) => {
    const body = Buffer.concat(payload);
    return Buffer.concat([Buffer.from([0xff, marker]), u16(body.length + 2), body]);
  };
  /** A table of one code: 0, one bit long. */
  const table = (place: number, symbol: number) =>
    segment(0xc4, Buffer.from([place, 1, ...Array.from({ length: 15 }, () => 0), symbol]));
  const scan = (first: number, last: number, high: number, low: number, data: Buffer) =>
    Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, first, last, (high << 4) | low])), data]);
  // DC: a difference of category 0 for each block, one bit each.
  const dc = Buffer.alloc(Math.ceil(blocks / 8));
  // AC: symbol 0xe0 with fourteen bits, an end-of-band run of 16,384 to 32,767 blocks; T.81, G.1.2.2.
  const bits: number[] = [];
  for (let left = blocks; left > 0;) {
    const beyond = Math.max(0, Math.min(left, 32_767) - 16_384);
    bits.push(0, ...Array.from({ length: 14 }, (_, index) => (beyond >> (13 - index)) & 1));
    left -= 16_384 + beyond;
  }
  const ac = packed(bits);
  const frame = Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0])]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => 1)])),
    segment(0xc2, frame),
    table(0x00, 0),
    table(0x10, 0xe0),
    scan(0, 0, 0, 0, dc),
    ...Array.from({ length: scans - 1 }, (_, index) => scan(1 + (index % 63), 1 + (index % 63), 0, 0, ac)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Bits as a scan has them: filled up with ones, a zero byte after each ff. */
function packed(bits: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < bits.length; at += 8) {
    const byte = Array.from({ length: 8 }, (_, index) => bits[at + index] ?? 1).reduce(
      (sum, bit) => sum * 2 + bit,
      0,
    );
    bytes.push(byte);
    if (byte === 0xff) bytes.push(0);
  }
  return Buffer.from(bytes);
}
