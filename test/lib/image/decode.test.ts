import { type ChildProcess, execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';

import { afterAll, afterEach, describe, expect, test } from 'vitest';

import type { DecodeReply } from '../../../src/lib/image/decode-job.ts';
import {
  createImageDecoder,
  type ImageDecoder,
  type ImageDecoderOptions,
} from '../../../src/lib/image/decode.ts';
import type { ImageFacts } from '../../../src/lib/image/facts.ts';
import { inspectImage } from '../../../src/lib/image/inspect.ts';
import { bundledDecoder } from '../../support/bundled-decoder.ts';
import { decodePixels } from '../../support/decode-pixels.ts';
import { encodeJpeg, encodePng, pngChunk, skinPixels } from '../../support/images.ts';
import { anyPng, IEND, ihdr, pngFile, rawRows } from '../../support/png-files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const pixels = skinPixels({ width: 160, height: 96 });
const jpeg = await encodeJpeg(pixels);
const progressive = await encodeJpeg(pixels, { progressive: true });
const png = encodePng(pixels);

function facts(file: Uint8Array): ImageFacts {
  const result = inspectImage(file);
  if (!result.ok) throw new Error(`refused as ${result.reason}: ${result.detail}`);
  return result;
}

const worker = await bundledDecoder();
const decoders: ImageDecoder[] = [];
function decoder(options: ImageDecoderOptions = {}): ImageDecoder {
  const created = createImageDecoder({ worker, ...options });
  decoders.push(created);
  return created;
}
afterEach(() => Promise.all(decoders.splice(0).map((created) => created.close())));

const common = createImageDecoder({ worker });
afterAll(() => common.close());
const check = (file: Uint8Array) => common.check(file, facts(file));
const reasonOf = async (result: ReturnType<typeof check>) => {
  const awaited = await result;
  return awaited.ok ? 'ok' : awaited.reason;
};

/** Processes that this one starts. */
function countWorkers() {
  let started = 0;
  const listener = () => (started += 1);
  subscribe('child_process', listener);
  return {
    started: () => started,
    stop: () => unsubscribe('child_process', listener),
  };
}

describe('whole pictures decode to the size of their header', () => {
  test.each([
    ['JPEG', jpeg],
    ['progressive JPEG', progressive],
    ['grey JPEG', greyJpeg()],
    ['PNG', png],
    ['PNG with what follows it', Buffer.concat([png, Buffer.alloc(5000, 1)])],
    ['JPEG with what follows it', Buffer.concat([jpeg, jpeg])],
  ])('%s', async (_, file) => {
    const { widthPx, heightPx } = facts(file);
    expect(await check(file)).toEqual({ ok: true, widthPx, heightPx });
  });

  test('every kind of PNG, as our reference decoder reads it', async () => {
    const kinds = [
      ...[1, 2, 4, 8, 16].map((bitDepth) => ({ colorType: 0, bitDepth })),
      ...[1, 2, 4, 8].map((bitDepth) => ({ colorType: 3, bitDepth })),
      ...[8, 16].flatMap((bitDepth) => [2, 4, 6].map((colorType) => ({ colorType, bitDepth }))),
    ];
    // Sizes below 5 leave passes of an interlaced picture empty.
    for (const [width, height] of [
      [1, 1],
      [2, 9],
      [5, 1],
      [4, 4],
      [17, 33],
    ] as const) {
      for (const kind of kinds) {
        for (const interlace of [0, 1]) {
          const shape = { width, height, interlace, ...kind };
          const file = anyPng(shape);
          expect(await check(file), JSON.stringify(shape)).toEqual({
            ok: true,
            widthPx: width,
            heightPx: height,
          });
          expect(await decodePixels(file)).toMatchObject({ width, height });
        }
      }
    }
  });

  test('the picture data may come in many pieces', async () => {
    const shape = { width: 40, height: 40 };
    const stream = deflateSync(rawRows(shape));
    const pieces = Array.from(stream, (byte) => pngChunk('IDAT', Buffer.from([byte])));
    const empty = pngChunk('IDAT', Buffer.alloc(0));
    const file = pngFile(ihdr(shape), empty, ...pieces, empty, IEND);
    expect(await check(file)).toMatchObject({ ok: true });
  });

  test('the bytes sent are neither moved nor changed', async () => {
    const request = Buffer.concat([Buffer.alloc(100), png, jpeg, Buffer.alloc(100)]);
    const before = Buffer.from(request);
    const first = request.subarray(100, 100 + png.length);
    const second = request.subarray(100 + png.length, 100 + png.length + jpeg.length);
    const results = await Promise.all([check(first), check(second)]);
    expect(results).toMatchObject([{ ok: true }, { ok: true }]);
    expect(request.equals(before)).toBe(true);
  });
});

describe('JPEG picture data that are damaged', () => {
  /** The file without the bytes from `cut` to its end marker: what remains is structurally whole. */
  const shortened = (file: Buffer, cut: number) => Buffer.concat([file.subarray(0, cut), file.subarray(-2)]);

  test('cut off anywhere, with an end marker put back: never accepted', async () => {
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda])) + 14;
    // The last bytes may be padding of the last block: libjpeg then has all pixels.
    for (let cut = scan; cut < jpeg.length - 10; cut += 41) {
      const file = shortened(jpeg, cut);
      const structure = inspectImage(file);
      if (!structure.ok) continue; // the cut split a marker
      const result = await common.check(file, structure);
      expect(result, `cut at ${cut}`).toMatchObject({ ok: false, reason: 'undecodable' });
    }
  });

  test('zeros in place of the second half are found', async () => {
    const file = Buffer.from(jpeg);
    file.fill(0, jpeg.length >> 1, jpeg.length - 2);
    expect(await reasonOf(check(file))).toBe('undecodable');
  });

  test('missing quantisation tables are found', async () => {
    const { parts } = facts(jpeg);
    const kept = parts.filter((part) => 'marker' in part && part.marker !== 0xdb);
    const file = Buffer.concat([
      jpeg.subarray(0, 2),
      ...kept.map(({ start, end }) => jpeg.subarray(start, end)),
    ]);
    expect(await reasonOf(check(file))).toBe('undecodable');
  });

  test('a frame header that promises more than the data hold', async () => {
    const file = Buffer.from(jpeg);
    file.writeUInt16BE(4000, file.indexOf(Buffer.from([0xff, 0xc0])) + 5);
    expect(await reasonOf(check(file))).toBe('undecodable');
  });

  test('harmless irregularities of real cameras are accepted', async () => {
    const padded = Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(7), jpeg.subarray(-2)]);
    expect(await reasonOf(check(padded))).toBe('ok');
  });

  test('after a damaged picture the next one is judged afresh', async () => {
    const damaged = shortened(jpeg, jpeg.length / 2);
    for (const [file, expected] of [
      [damaged, false],
      [jpeg, true],
      [damaged, false],
      [png, true],
    ] as const) {
      expect(await check(file)).toMatchObject({ ok: expected });
    }
  });
});

describe('PNG picture data that are damaged, though every checksum of the chunks is right', () => {
  const shape = { width: 30, height: 20 };
  const rows = rawRows(shape);
  const stream = deflateSync(rows);
  const file = (data: Uint8Array, header: object = {}) =>
    pngFile(ihdr({ ...shape, ...header }), pngChunk('IDAT', data), IEND);
  const wrongFilter = Buffer.from(rows);
  wrongFilter[91 * 7] = 5;
  const wrongSum = Buffer.from(stream);
  wrongSum[stream.length - 1] = (stream.at(-1) ?? 0) ^ 1;

  test.each([
    ['more rows than the header says', file(stream, { height: 19 })],
    ['fewer rows than the header says', file(stream, { height: 21 })],
    ['a decompression bomb', file(deflateSync(Buffer.alloc(200e6)))],
    ['other dimensions of the same area', file(stream, { width: 20, height: 30 })],
    ['an interlaced header over plain data', file(stream, { interlace: 1 })],
    ['a filter type that does not exist', file(deflateSync(wrongFilter))],
    ['a wrong checksum of the stream', file(wrongSum)],
    ['no checksum of the stream', file(stream.subarray(0, -4))],
    ['half a stream', file(stream.subarray(0, stream.length / 2))],
    ['an empty stream', file(Buffer.alloc(0))],
    ['noise', file(Buffer.alloc(500, 0x5a))],
    ['data hidden behind the stream', file(Buffer.concat([stream, Buffer.from('hidden')]))],
  ])('%s', async (_, damaged) => {
    expect(await reasonOf(check(damaged))).toBe('undecodable');
  });
});

describe('limits', () => {
  test('pictures over the pixel limit never reach the worker', async () => {
    const workers = countWorkers();
    expect(await reasonOf(decoder({ maxPixels: 160 * 96 - 1 }).check(png, facts(png)))).toBe(
      'too_many_pixels',
    );
    workers.stop();
    expect(workers.started()).toBe(0);
    expect(await reasonOf(decoder({ maxPixels: 160 * 96 }).check(png, facts(png)))).toBe('ok');
  });

  test('a full queue answers busy at once, and the waiting jobs still finish', async () => {
    const shared = decoder({ maxQueued: 2 });
    const found = facts(png);
    const results = await Promise.all(Array.from({ length: 5 }, () => shared.check(png, found)));
    expect(results.map((result) => (result.ok ? 'ok' : result.reason))).toEqual([
      'ok',
      'ok',
      'ok',
      'busy',
      'busy',
    ]);
  });

  test('ten pictures of one request are checked by one worker', async () => {
    const workers = countWorkers();
    const shared = decoder();
    const files = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? jpeg : png));
    const results = await Promise.all(files.map((file) => shared.check(file, facts(file))));
    workers.stop();
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(workers.started()).toBe(1);
  });
});

/** A decoder process that behaves as the width of the picture tells it to. */
function badWorker(behaviours: Record<number, string>): URL {
  const file = join(tempFolder(), 'bad-worker.mjs');
  const reply = { spent: false } satisfies Partial<DecodeReply>;
  writeFileSync(
    file,
    `const behaviours = ${JSON.stringify(behaviours)};
     process.on('message', ({ widthPx, heightPx }) => {
       if (widthPx in behaviours) new Function(behaviours[widthPx])();
       process.send({ ...${JSON.stringify(reply)}, result: { ok: true, widthPx, heightPx } });
     });
     process.on('disconnect', () => process.exit());
     process.send({ ready: true });`,
  );
  return pathToFileURL(file);
}

describe('a worker that misbehaves fails its own job only', () => {
  const sized = (width: number) => encodePng(skinPixels({ width, height: 2 }));
  const worker = badWorker({
    1: 'for (;;);',
    2: 'throw new Error("boom")',
    3: 'process.exit(3)',
    4: 'const hoard = []; for (;;) hoard.push(new Array(1e6).fill({}))',
  });

  test.each([
    [1, 'timeout'],
    [2, 'failed'],
    [3, 'failed'],
    [4, 'failed'],
  ])('behaviour %i: %s', async (width, reason) => {
    const shared = decoder({ worker, timeoutMs: width === 1 ? 2000 : 60_000 });
    const results = await Promise.all(
      [sized(8), sized(width), sized(9)].map((file) => reasonOf(shared.check(file, facts(file)))),
    );
    expect(results).toEqual(['ok', reason, 'ok']);
  });

  test('the cause of a failure is handed on', async () => {
    const file = sized(2);
    expect(await decoder({ worker }).check(file, facts(file))).toMatchObject({
      reason: 'failed',
      cause: { message: expect.stringContaining('boom') as string },
    });
  });

  test('a worker that cannot start fails the job', async () => {
    const missing = new URL('./no-such-worker.ts', import.meta.url);
    expect(await decoder({ worker: missing }).check(png, facts(png))).toMatchObject({ reason: 'failed' });
  });

  test('a worker that cannot be replaced has answered its job; those that wait fail, and later ones pass', async () => {
    const spent = 'process.send({ spent: true, result: { ok: true, widthPx: 7, heightPx: 2 } })';
    const changing = badWorker({ 7: spent });
    const { href } = changing;
    const shared = decoder({ worker: changing, processes: 1 });
    const results = [7, 8].map((width) => reasonOf(shared.check(sized(width), facts(sized(width)))));
    // No process can be started from it.
    changing.href = 'https://gone.example/worker.js';
    expect(await Promise.all(results)).toEqual(['ok', 'failed']);
    changing.href = href;
    expect(await reasonOf(shared.check(sized(9), facts(sized(9))))).toBe('ok');
  });

  test('waiting too long for a hanging worker is busy', async () => {
    const shared = decoder({ worker, timeoutMs: 600, maxWaitMs: 50 });
    const hanging = sized(1);
    const first = reasonOf(shared.check(hanging, facts(hanging)));
    expect(await reasonOf(shared.check(png, facts(png)))).toBe('busy');
    expect(await first).toBe('timeout');
  });
});

describe('memory and life time', () => {
  test('a worker whose decoder aborted in a picture is replaced', async () => {
    const tables = facts(jpeg).parts.filter((part) => 'marker' in part && part.marker === 0xdb);
    const [first, last] = [tables[0], tables.at(-1)];
    const hopeless = Buffer.concat([jpeg.subarray(0, first?.start), jpeg.subarray(last?.end)]);
    const workers = countWorkers();
    const shared = decoder();
    const results = [jpeg, hopeless, jpeg].map((file) => reasonOf(shared.check(file, facts(file))));
    expect(await Promise.all(results)).toEqual(['ok', 'undecodable', 'ok']);
    workers.stop();
    expect(workers.started()).toBe(2);
  });

  test('a worker that dies while idle is forgotten', async () => {
    const shared = decoder({ worker: badWorker({ 160: 'setImmediate(() => process.exit(1))' }) });
    const died = new Promise((resolve) => {
      const listener = (message: unknown) => {
        unsubscribe('child_process', listener);
        (message as { process: ChildProcess }).process.once('close', resolve);
      };
      subscribe('child_process', listener);
    });
    expect(await reasonOf(shared.check(png, facts(png)))).toBe('ok');
    await died;
    expect(await reasonOf(shared.check(png, facts(png)))).toBe('ok');
  });

  test('an idle worker ends, and the next job starts another', async () => {
    const workers = countWorkers();
    const shared = decoder({ idleMs: 20 });
    expect(await reasonOf(shared.check(png, facts(png)))).toBe('ok');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await reasonOf(shared.check(png, facts(png)))).toBe('ok');
    workers.stop();
    expect(workers.started()).toBe(2);
  });

  test('a worker that has grown large is replaced', async () => {
    const flat = { width: 7000, height: 5000, data: new Uint8ClampedArray(7000 * 5000 * 4).fill(180) };
    const large = await encodeJpeg(flat, { quality: 30 });
    const workers = countWorkers();
    const shared = decoder({ timeoutMs: 60_000 });
    for (const file of [jpeg, jpeg, large, jpeg]) {
      expect(await shared.check(file, facts(file))).toMatchObject({ ok: true });
    }
    workers.stop();
    expect(workers.started()).toBe(2);
  });

  test('closing answers all jobs and later ones', async () => {
    const shared = decoder({ worker: badWorker({ 160: 'for (;;);' }) });
    const results = [shared.check(png, facts(png)), shared.check(png, facts(png))].map(reasonOf);
    await shared.close();
    expect(await Promise.all(results)).toEqual(['failed', 'failed']);
    expect(await reasonOf(shared.check(png, facts(png)))).toBe('failed');
  });

  test('a process that has finished its checks ends by itself', async () => {
    const source = `
      import { createImageDecoder } from ${JSON.stringify(new URL('../../../src/lib/image/decode.ts', import.meta.url))};
      import { inspectImage } from ${JSON.stringify(new URL('../../../src/lib/image/inspect.ts', import.meta.url))};
      const file = Buffer.from(${JSON.stringify(jpeg.toString('base64'))}, 'base64');
      const result = await createImageDecoder({ idleMs: 600_000 }).check(file, inspectImage(file));
      const closed = createImageDecoder();
      await closed.check(file, inspectImage(file));
      await closed.close();
      console.log(result.ok);`;
    const args = ['--input-type=module', '--eval', source];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 40_000 });
    expect(stdout.trim()).toBe('true');
  });
});

/** 8 × 8 pixels, one grey component. */
function greyJpeg(): Buffer {
  return Buffer.from(
    '/9j/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/wAALCAAIAAgBAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/AKpAB//Z',
    'base64',
  );
}
