import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { register } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { imagePart, upload } from '../../support/diagnosis.ts';
import { skinPhoto } from '../../support/images.ts';
import { scanBomb } from '../../support/scan-bomb.ts';
import { photoPart, storeImages } from '../../support/stored-images.ts';

// Small files that take long to decode delay their own sender and no other.

const app = await testApp({ process: true, env: { PUBLIC_AI_ROUTES: 'true' } });

const account = async () => (await register(app)).access_token;

/** As costly as a file may be that is accepted: half a second. */
const costly = (seed: number) => scanBomb({ width: 7000, height: 7000 - seed, scans: 12 });
/** A quarter of it, which no busy machine turns into more than the deadline. */
const slow = (seed: number) => scanBomb({ width: 3500, height: 3400 - seed, scans: 12 });

test('a hundred scans of 49 megapixels in 100 kB are refused by their markers', async () => {
  const bomb = scanBomb({ width: 7000, height: 7000, scans: 100 });
  expect(bomb.length).toBeLessThan(110_000);
  const token = await account();
  const answer = await storeImages(
    app,
    token,
    Array.from({ length: 10 }, () => bomb),
  );
  // One that was decoded would be refused at the deadline, with another code.
  expect(answer).toMatchObject({
    status: 400,
    code: 'invalid_image',
    errors: [{ pointer: '/images/0', code: 'unsupported' }],
  });
});

test('a patient who sends costly photos without pause hardly delays another', async () => {
  const [attacker, victim] = [await account(), await account()];
  const photos = await Promise.all(
    Array.from({ length: 5 }, (_, seed) => skinPhoto({ width: 800, height: 600, seed, format: 'jpeg' })),
  );
  // Made before, so that the sender's own work delays no request.
  const bombs = Array.from({ length: 14 }, (_, sender) => photoPart(costly(1 + sender)));
  const over = new AbortController();
  const statuses = new Map<number, number>();
  let answered = 0;
  const flood = bombs.map(async (bomb) => {
    while (!over.signal.aborted) {
      const { status } = await storeImages(app, attacker, [bomb]);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) await sleep(100);
      else answered += 1;
    }
  });
  await vi.waitFor(() => expect(answered).toBeGreaterThan(1), 60_000);
  // Counted in photos of the other, because seconds say more about what else the machine does.
  const overtaken: number[] = [];
  for (const photo of photos) {
    const before = answered;
    expect((await storeImages(app, victim, [photo])).status).toBe(201);
    overtaken.push(answered - before);
  }
  over.abort();
  await Promise.all(flood);
  expect(overtaken.toSorted((a, b) => a - b)[2]).toBeLessThanOrEqual(2);
  expect(statuses.get(429)).toBeGreaterThan(0);
});

test('a client that sends its ten photos at once is refused none: they wait their turn', async () => {
  const token = await account();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, seed) => storeImages(app, token, [slow(40 + seed)])),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
});

test('one upload more than a user may have waiting is 429 for that user alone', async () => {
  const [first, second] = [await account(), await account()];
  const flood = Array.from({ length: 20 }, (_, seed) => storeImages(app, first, [slow(seed)]));
  const other = storeImages(app, second, [await skinPhoto({ width: 64, height: 48, format: 'jpeg' })]);
  const answers = await Promise.all(flood);
  expect((await other).status).toBe(201);
  const refused = answers.filter(({ status }) => status === 429);
  // How many of them arrive while the first is decoded is not in our hands; ten find room in any case.
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ code }) => code === 'rate_limited')).toBe(true);
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(10);
  expect(answers.filter(({ status }) => ![201, 429].includes(status))).toEqual([]);
});

test('one caller without a token per network waits; others get 429 with Retry-After', async () => {
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, seed) =>
      app.request('/api/ai/image_validity', upload([imagePart(slow(100 + seed))])),
    ),
  );
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2);
  for (const reply of refused) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
});
