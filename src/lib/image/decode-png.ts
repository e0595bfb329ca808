import { createInflate } from 'node:zlib';

import { type PixelCheck, undecodable } from './decode-job.ts';
import type { PngFacts } from './facts.ts';

/** Samples per pixel by colour type; PNG specification (third edition), table 11.1. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** The seven passes of Adam7: first column and row, column and row step; figure 4.8. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const HIGHEST_FILTER_TYPE = 4;
const CHUNK_BYTES = 256 * 1024;

type Pass = { rows: number; /** With the filter byte that starts each row. */ rowBytes: number };

function passesOf({ widthPx, heightPx, bitDepth, colorType, interlaced }: PngFacts): Pass[] {
  const bitsPerPixel = bitDepth * (CHANNELS[colorType] ?? 0);
  const pass = (columns: number, rows: number) => ({
    rows: columns === 0 ? 0 : rows,
    rowBytes: 1 + Math.ceil((columns * bitsPerPixel) / 8),
  });
  if (!interlaced) return [pass(widthPx, heightPx)];
  const steps = (size: number, first: number, step: number) => Math.max(0, Math.ceil((size - first) / step));
  return ADAM7.map(([x, y, dx, dy]) => pass(steps(widthPx, x, dx), steps(heightPx, y, dy))).filter(
    ({ rows }) => rows > 0,
  );
}

/** Moves the payloads of the IDAT chunks together, in place, and returns the one deflate stream they make. */
function joinIdat(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let to = start;
  for (let at = start; at < end;) {
    const length = view.getUint32(at);
    bytes.copyWithin(to, at + 8, at + 8 + length);
    to += length;
    at += 12 + length;
  }
  return bytes.subarray(start, to);
}

/** Follows the rows of a picture through pieces of its inflated data; `problem` is set at the first that is wrong. */
function rowReader(passes: readonly Pass[]) {
  let pass = 0;
  let row = 0;
  let nextRowAt = 0;
  let received = 0;
  const reader = {
    problem: null as string | null,
    read(chunk: Uint8Array) {
      const end = received + chunk.length;
      for (let current = passes[pass]; current !== undefined && nextRowAt < end; current = passes[pass]) {
        if ((chunk[nextRowAt - received] ?? 0) > HIGHEST_FILTER_TYPE) reader.problem ??= 'has a damaged row';
        nextRowAt += current.rowBytes;
        row += 1;
        if (row === current.rows) {
          pass += 1;
          row = 0;
        }
      }
      received = end;
      if (pass === passes.length && received > nextRowAt) {
        reader.problem ??= 'holds more picture data than its header says';
      }
    },
    isComplete: () => pass === passes.length && received === nextRowAt,
  };
  return reader;
}

/**
 * Reads all picture data of a PNG whose structure `inspectImage` has accepted: the deflate stream with its
 * checksum, exactly the bytes that the header promises, and the filter type of each row of each pass. What is
 * left of decoding (undoing the filters, looking up the palette) is arithmetic that cannot fail, so nothing is
 * kept and a decompression bomb ends at the header's size: memory stays at some 100 KB where a decoder to RGBA
 * needs up to 600 MB. Overwrites `bytes`.
 */
export async function checkPngPixels(bytes: Uint8Array, facts: PngFacts): Promise<PixelCheck> {
  const idat = facts.parts.find(({ chunk }) => chunk === 'IDAT');
  if (idat === undefined) return undecodable('The PNG holds no picture.');
  const stream = joinIdat(bytes, idat.start, idat.end);
  const rows = rowReader(passesOf(facts));
  const inflate = createInflate({ chunkSize: CHUNK_BYTES });
  inflate.end(stream);
  try {
    for await (const chunk of inflate) {
      rows.read(chunk as Uint8Array);
      // Leaving the loop destroys the stream.
      if (rows.problem !== null) return undecodable(`The PNG ${rows.problem}.`);
    }
  } catch {
    return undecodable('The compressed picture data of the PNG are damaged.');
  }
  if (!rows.isComplete()) return undecodable('The PNG holds less picture data than its header says.');
  if (inflate.bytesWritten !== stream.length)
    return undecodable('The PNG hides data behind its picture data.');
  return { ok: true, widthPx: facts.widthPx, heightPx: facts.heightPx };
}
