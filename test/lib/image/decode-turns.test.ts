import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createImageDecoder, type ImageDecoderOptions } from '../../../src/lib/image/decode.ts';
import type { ImageFacts, JpegFacts } from '../../../src/lib/image/facts.ts';
import { inspectImage } from '../../../src/lib/image/inspect.ts';
import { encodePng, skinPixels } from '../../support/images.ts';
import { scanBomb } from '../../support/scan-bomb.ts';
import { tempFolder } from '../../support/temp-folder.ts';

// Who waits for whom. The decoder processes of these tests take as many milliseconds as the picture is wide.

const file = join(tempFolder(), 'slow-worker.mjs');
writeFileSync(
  file,
  `process.on('message', ({ widthPx, heightPx }) =>
     setTimeout(() => process.send({ result: { ok: true, widthPx, heightPx }, spent: false }), widthPx));
   process.on('disconnect', () => process.exit());
   process.send({ ready: true });`,
);
const worker = pathToFileURL(file);

const close: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(close.splice(0).map((each) => each())));

/** A decoder whose answers are collected as `<caller> <reason>`, in their order. */
function recording(options: ImageDecoderOptions = {}) {
  const decoder = createImageDecoder({ worker, ...options });
  close.push(decoder.close);
  const answers: string[] = [];
  const send = async (id: string, ms = 60, maxWaiting = 2, found: Partial<JpegFacts> = {}) => {
    const bytes = encodePng(skinPixels({ width: ms, height: 1 }));
    const facts = { ...inspectImage(bytes), ...found } as ImageFacts;
    const result = await decoder.forCaller({ id, maxWaiting }).check(bytes, facts);
    answers.push(`${id} ${result.ok ? 'ok' : result.reason}`);
  };
  return { answers, send };
}

test('callers take turns: one with many pictures delays another by one picture at most', async () => {
  const { answers, send } = recording({ processes: 1 });
  await Promise.all([
    ...['a', 'a', 'a'].map((id) => send(id, 60, 10)),
    ...['b', 'b'].map((id) => send(id, 60, 10)),
    send('c', 60, 10),
  ]);
  expect(answers).toEqual(['a ok', 'b ok', 'c ok', 'a ok', 'b ok', 'a ok']);
});

test('a caller is served one at a time, so that another finds a process free', async () => {
  const { answers, send } = recording({ processes: 2 });
  const flood = [send('a', 800), send('a', 800), send('a', 800)];
  await send('b', 20);
  expect(answers).toEqual(['b ok']);
  await Promise.all(flood);
});

test('a page of thumbnails waits whole, and takes no place from new pictures', async () => {
  const decoder = createImageDecoder({ worker, processes: 1 });
  close.push(decoder.close);
  const own = decoder.forCaller({ id: 'a', maxWaiting: 2 });
  const bytes = encodePng(skinPixels({ width: 20, height: 1 }));
  const facts = inspectImage(bytes) as ImageFacts;
  const thumbnails = Array.from({ length: 18 }, () => own.thumbnail(bytes, facts, 512));
  const pictures = Array.from({ length: 3 }, () => own.check(bytes, facts));
  const reasons = async (results: Promise<{ ok: boolean }>[]) =>
    (await Promise.all(results)).map((result) => ('reason' in result ? result.reason : 'ok'));
  // One is served at once, sixteen wait.
  expect(await reasons(thumbnails)).toEqual([...Array<string>(17).fill('ok'), 'caller_limit']);
  expect(await reasons(pictures)).toEqual(['ok', 'ok', 'caller_limit']);
});

test('beside the one that is served two wait for a user, one more is refused for that user alone', async () => {
  const { answers, send } = recording({ processes: 1 });
  await Promise.all([send('a'), send('a'), send('a'), send('a'), send('b'), send('b'), send('b')]);
  expect(answers.toSorted()).toEqual([
    'a caller_limit',
    'a ok',
    'a ok',
    'a ok',
    'b caller_limit',
    'b ok',
    'b ok',
  ]);
});

test('for others one may wait', async () => {
  const { answers, send } = recording({ processes: 1 });
  await Promise.all(['n', 'n', 'n'].map((id) => send(id, 60, 1)));
  expect(answers.toSorted()).toEqual(['n caller_limit', 'n ok', 'n ok']);
});

test('only a full queue is busy for everybody', async () => {
  const { answers, send } = recording({ processes: 1, maxQueued: 3 });
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => send(id)));
  expect(answers).toEqual(['e busy', 'a ok', 'b ok', 'c ok', 'd ok']);
});

test('a full queue of one caller leaves a free process to another', async () => {
  const { answers, send } = recording({ processes: 2, maxQueued: 2 });
  // Both processes have started: how long that takes is not what is compared.
  await Promise.all([send('a', 20), send('b', 20)]);
  answers.length = 0;
  const flood = [send('a', 300), send('a', 300), send('a', 300)];
  await send('b', 20);
  await Promise.all(flood);
  expect(answers).toEqual(['b ok', 'a ok', 'a ok', 'a ok']);
});

test('pictures that decoders hold whole cannot exhaust the memory together', async () => {
  const { answers, send } = recording({ processes: 2, maxPixels: Infinity });
  const large = {
    type: 'image/jpeg',
    progressive: true,
    components: 3,
    widthPx: 1500,
    heightPx: 33_000,
  } as const;
  const started = performance.now();
  await Promise.all([send('a', 1500, 2, large), send('b', 1500, 2, large), send('c', 20)]);
  expect(performance.now() - started).toBeGreaterThan(3000);
  expect(answers).toEqual(['a ok', 'c ok', 'b ok']);
});

describe('decoding ends at its deadline', () => {
  test('its process is gone and the next picture is decoded', async () => {
    const { answers, send } = recording({ processes: 1, timeoutMs: 1000 });
    await Promise.all([send('a', 5000), send('b', 20)]);
    expect(answers).toEqual(['a timeout', 'b ok']);
  });

  test('a real decoder is stopped in the middle of a picture', async () => {
    const decoder = createImageDecoder({ timeoutMs: 100 });
    close.push(decoder.close);
    const bomb = scanBomb({ width: 7000, height: 7000, scans: 12 });
    const facts = inspectImage(bomb);
    if (!facts.ok) throw new Error(facts.detail);
    expect(await decoder.check(bomb, facts)).toMatchObject({ ok: false, reason: 'timeout' });
    const photo = encodePng(skinPixels({ width: 40, height: 30 }));
    const found = inspectImage(photo);
    if (!found.ok) throw new Error(found.detail);
    await expect.poll(() => decoder.check(photo, found)).toMatchObject({ ok: true });
  });
});
