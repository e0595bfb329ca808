import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { reconcileImages, TooManyOrphans } from '../../../../src/domain/media/images/reconcile-images.ts';
import { BlobUnavailable } from '../../../../src/lib/blob/blob-store.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { createLog } from '../../../../src/lib/telemetry/log.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

// Rows and blobs in great numbers, in every mixture; what real storage does is in test/functions/common/image-faults.

const { url, db: owner } = await testDatabase();
const { db: plain, pool } = connectDatabase({ url, poolMax: 2, onIdleError: () => undefined });
afterwards(() => pool.end());

let largestAnswer = 0;
const db = plain.withPlugin({
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    largestAnswer = Math.max(largestAnswer, result.rows.length);
    return result;
  },
});
const log = createLog(() => undefined);
const now = new Date();
const longAgo = new Date(now.getTime() - 2 * 60 * 60 * 1000);

/** A container in memory; its list has pages of `pageSize`, in the order of names. */
function container(names: readonly string[], pageSize = 1000, createdAt = longAgo) {
  const held = new Set(names);
  const blobs = {
    async *list() {
      const sorted = [...held].toSorted();
      for (let at = 0; at < sorted.length; at += pageSize) {
        yield sorted.slice(at, at + pageSize).map((name) => ({ name, createdAt }));
      }
    },
    async remove(name: string) {
      held.delete(name);
    },
  };
  return { held, blobs };
}

const nameOf = (n: number | string) => createHash('sha256').update(String(n)).digest('hex').slice(0, 48);
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

async function inTenant(text: string, values: unknown[] = []) {
  const client = await owner.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('app.tenant', '1', true)`);
    const { rows } = await client.query(text, values);
    await client.query('COMMIT');
    return rows as Record<string, unknown>[];
  } finally {
    client.release();
  }
}

await inTenant(
  `INSERT INTO users (uuid, tenant_id, email, password_hash, role)
   VALUES (gen_random_uuid(), 1, 'owner@example.org', '!', 'patient')`,
);

/** Image n has the blob that `nameOf(n)` names, and its thumbnail, where it has one, `nameOf('small' + n)`. */
async function insertImages(
  images: readonly number[],
  { state = 'stored', createdAt = longAgo, thumbnails = false } = {},
): Promise<void> {
  await inTenant(
    `INSERT INTO images (uuid, tenant_id, owner_user_id, name, state, blob_name, thumbnail_blob_name, sha256,
       content_type, width_px, height_px, orientation, size_bytes, created_at)
     SELECT gen_random_uuid(), 1, (SELECT id FROM users), n || '.jpg', $2,
       left(encode(sha256(n::text::bytea), 'hex'), 48),
       CASE WHEN $4 THEN left(encode(sha256(('small' || n)::bytea), 'hex'), 48) END,
       sha256(('image' || n)::bytea), 'image/jpeg', 1, 1, 1, 1, $3
     FROM unnest($1::integer[]) AS n`,
    [images, state, createdAt, thumbnails],
  );
}

async function statesOf(): Promise<Record<string, number>> {
  const rows = await inTenant('SELECT state, count(*)::int AS count FROM images GROUP BY state');
  return Object.fromEntries(rows.map(({ state, count }) => [state, count])) as Record<string, number>;
}

beforeEach(async () => {
  largestAnswer = 0;
  await inTenant('DELETE FROM images');
});

test('with an empty container every row is read, page by page', async () => {
  await insertImages(numbers(1, 2500), { thumbnails: true });
  expect(await reconcileImages(db, container([]).blobs, log, now)).toEqual({
    interrupted: 0,
    orphans: 0,
    missing: 2500,
    found: 0,
    thumbnails: 2500,
  });
  expect(largestAnswer).toBe(1000);
  expect(await statesOf()).toEqual({ missing: 2500 });
});

describe('with the wrong database or container, far too many blobs have no row', () => {
  /** What the log has of level error. */
  const errors: Record<string, unknown>[] = [];
  const listening = createLog((_, line) => {
    const entry = JSON.parse(line) as Record<string, unknown>;
    if (entry['level'] === 'error') errors.push(entry);
  });
  beforeEach(() => void errors.splice(0));

  test('an empty table: no blob is removed, the run fails and logs the cause', async () => {
    const { blobs, held } = container(numbers(1, 2500).map(nameOf));
    await expect(reconcileImages(db, blobs, listening, now)).rejects.toThrow(TooManyOrphans);
    expect(held.size).toBe(2500);
    expect(errors).toEqual([
      { level: 'error', event: 'image_orphans_too_many', orphans: 2500, blobs: 2500, allowed: 50 },
    ]);
  });

  test('rows of other images: nothing is touched on either side', async () => {
    await insertImages(numbers(1, 60));
    await insertImages(numbers(61, 70), { state: 'pending' });
    const { blobs, held } = container(numbers(101, 200).map(nameOf));
    await expect(reconcileImages(db, blobs, listening, now)).rejects.toThrow(TooManyOrphans);
    expect(held.size).toBe(100);
    expect(await statesOf()).toEqual({ stored: 60, pending: 10 });
  });

  test.each([
    { rows: 0, orphans: 50, goes: true },
    { rows: 0, orphans: 51, goes: false },
    { rows: 4950, orphans: 50, goes: true },
    { rows: 4950, orphans: 51, goes: false },
    { rows: 5940, orphans: 60, goes: true },
    { rows: 5940, orphans: 61, goes: false },
  ])('$orphans of $orphans + $rows blobs: goes is $goes', async ({ rows, orphans, goes }) => {
    await insertImages(numbers(1, rows));
    const { blobs, held } = container(numbers(1, rows + orphans).map(nameOf));
    const run = reconcileImages(db, blobs, listening, now);
    if (goes) expect(await run).toMatchObject({ orphans });
    else await expect(run).rejects.toThrow(TooManyOrphans);
    expect(held.size).toBe(goes ? rows : rows + orphans);
    expect(errors).toHaveLength(goes ? 0 : 1);
    expect(largestAnswer).toBeLessThanOrEqual(1000);
  });

  test('young ones do not count: they may belong to uploads in flight', async () => {
    const { blobs, held } = container(numbers(1, 200).map(nameOf), 1000, now);
    expect(await reconcileImages(db, blobs, listening, now)).toMatchObject({ orphans: 0 });
    expect(held.size).toBe(200);
  });

  test('if the table is lost between counting and removing, no more are removed than allowed', async () => {
    await insertImages(numbers(1, 300));
    const { blobs, held } = container(numbers(1, 300).map(nameOf));
    let lists = 0;
    const losing = {
      ...blobs,
      async *list() {
        yield* blobs.list();
        lists += 1;
        if (lists === 1) await inTenant('DELETE FROM images');
      },
    };
    // What `npm run reconcile-images` reports.
    await expect(reconcileImages(db, losing, listening, now)).rejects.toMatchObject({
      name: 'TooManyOrphans',
      removed: 50,
    });
    expect(held.size).toBe(250);
  });

  test('an operator may allow as many as there are, and no more', async () => {
    const { blobs, held } = container(numbers(1, 200).map(nameOf));
    await expect(reconcileImages(db, blobs, listening, now, { orphans: 199 })).rejects.toThrow(
      TooManyOrphans,
    );
    expect(await reconcileImages(db, blobs, listening, now, { orphans: 200 })).toMatchObject({
      orphans: 200,
    });
    expect(held.size).toBe(0);
  });
});

describe('rows and blobs that belong together stay, in every mixture', () => {
  test.each([1, 7, 1000])('blobs in pages of %i', async (pageSize) => {
    const [whole, lost, interrupted, orphaned] = [
      numbers(1, 700),
      numbers(701, 1900),
      numbers(1901, 1950),
      numbers(1951, 2000),
    ];
    await insertImages([...whole, ...lost]);
    await insertImages(interrupted, { state: 'pending' });
    const { blobs, held } = container([...whole, ...interrupted, ...orphaned].map(nameOf), pageSize);
    expect(await reconcileImages(db, blobs, log, now)).toEqual({
      interrupted: 50,
      orphans: 50,
      missing: 1200,
      found: 0,
      thumbnails: 0,
    });
    expect([...held].toSorted()).toEqual(whole.map(nameOf).toSorted());
    expect(await statesOf()).toEqual({ stored: 700, missing: 1200 });
    expect(largestAnswer).toBeLessThanOrEqual(1000);
  });

  test('exactly a page of rows, and one more', async () => {
    for (const count of [1000, 1001]) {
      await inTenant('DELETE FROM images');
      await insertImages(numbers(1, count));
      const { blobs, held } = container(numbers(1, count).map(nameOf));
      expect(await reconcileImages(db, blobs, log, now)).toMatchObject({ orphans: 0, missing: 0 });
      expect(held.size).toBe(count);
    }
  });

  test('unexpected names are removed in whatever order the storage lists them', async () => {
    await insertImages(numbers(1, 50));
    const own = container(numbers(1, 50).map(nameOf));
    const strangers = ['~backup', 'Zebra', '_folder/photo.jpg', 'zebra', '\u{1F600}'];
    const blobs = {
      ...own.blobs,
      async *list() {
        yield strangers.map((name) => ({ name, createdAt: longAgo }));
        yield* own.blobs.list();
      },
    };
    expect(await reconcileImages(db, blobs, log, now)).toMatchObject({ orphans: 5, missing: 0 });
    expect(own.held.size).toBe(50);
  });
});

describe('a blob that storage will not remove', () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog((_, line) => void lines.push(JSON.parse(line) as Record<string, unknown>));
  /** Names sort before those that can be removed. */
  const stuck = (count: number) => numbers(1, count).map((n) => String(n).padStart(48, '0'));
  async function stage(count: number) {
    lines.length = 0;
    await insertImages([1, 2, 3]);
    await insertImages([4], { state: 'pending' });
    const { blobs, held } = container([...stuck(count), ...[1, 2, 4, 5].map(nameOf)]);
    const remove = async (name: string) => {
      if (stuck(count).includes(name)) throw new BlobUnavailable(new Error('leased'));
      await blobs.remove(name);
    };
    return { held, run: () => reconcileImages(db, { ...blobs, remove }, log, now) };
  }

  test('holds up no other, and the run fails', async () => {
    const { held, run } = await stage(2);
    await expect(run()).rejects.toThrow(BlobUnavailable);
    expect([...held].toSorted()).toEqual([...stuck(2), ...[1, 2].map(nameOf)].toSorted());
    expect(await statesOf()).toEqual({ stored: 2, missing: 1 });
    expect(lines.filter(({ event }) => event === 'timer_step_failed').map(({ blob }) => blob)).toEqual(
      stuck(2),
    );
  });

  test('is one of many where storage is away: the run ends', async () => {
    const { held, run } = await stage(40);
    await expect(run()).rejects.toThrow(BlobUnavailable);
    expect(held.size).toBe(44);
    expect(lines.length).toBeLessThan(40);
  });
});

test('rows and blobs younger than an hour stay', async () => {
  await insertImages(numbers(1, 5), { createdAt: now });
  await insertImages(numbers(6, 10), { state: 'pending', createdAt: now });
  const { blobs, held } = container(numbers(11, 15).map(nameOf), 1000, now);
  expect(Object.values(await reconcileImages(db, blobs, log, now))).toEqual([0, 0, 0, 0, 0]);
  expect(held.size).toBe(5);
  expect(await statesOf()).toEqual({ stored: 5, pending: 5 });
});

test('a photo that is deleted or erased while the timer runs is not reported as lost', async () => {
  await insertImages(numbers(1, 9), { thumbnails: true });
  const names = numbers(1, 9).flatMap((n) => [nameOf(n), nameOf(`small${n}`)]);
  const { blobs, held } = container(names, 1);
  held.delete(nameOf(3));
  let lists = 0;
  const meanwhile = {
    ...blobs,
    async *list() {
      lists += 1;
      for await (const page of blobs.list()) {
        yield page.filter(({ name }) => held.has(name));
        // The rows, which fit into one page, are read by now.
        if (lists < 2 || !held.has(nameOf(1))) continue;
        await inTenant(`UPDATE images SET deleted_at = now() WHERE name = '1.jpg'`);
        await inTenant(`DELETE FROM images WHERE name = '2.jpg'`);
        for (const name of [1, 2, 'small1', 'small2']) held.delete(nameOf(name));
      }
    },
  };
  const lost: unknown[] = [];
  const listening = createLog((_, line) => void lost.push(JSON.parse(line)), 'error');
  expect(await reconcileImages(db, meanwhile, listening, now)).toMatchObject({ missing: 1, thumbnails: 0 });
  expect(lost).toMatchObject([{ event: 'image_blob_missing' }]);
  const rows = await inTenant(`SELECT name FROM images WHERE state = 'missing'`);
  expect(rows).toEqual([{ name: '3.jpg' }]);
});

test('an image whose blob was brought back is visible again, unless its bytes have been stored anew', async () => {
  await insertImages(numbers(1, 2));
  const { blobs, held } = container([]);
  expect(await reconcileImages(db, blobs, log, now)).toMatchObject({ missing: 2 });
  await inTenant(
    `INSERT INTO images (uuid, tenant_id, owner_user_id, name, state, blob_name, sha256, content_type, width_px,
       height_px, orientation, size_bytes, created_at)
     SELECT gen_random_uuid(), 1, owner_user_id, 'again.jpg', 'stored', $1, sha256, content_type, 1, 1, 1, 1, $2
     FROM images WHERE name = '2.jpg'`,
    [nameOf('again'), longAgo],
  );
  for (const name of [1, 2, 'again'].map(nameOf)) held.add(name);
  expect(await reconcileImages(db, blobs, log, now)).toMatchObject({ found: 1, missing: 0, orphans: 0 });
  const rows = await inTenant('SELECT name, state FROM images ORDER BY name');
  expect(rows).toEqual([
    { name: '1.jpg', state: 'stored' },
    { name: '2.jpg', state: 'missing' },
    { name: 'again.jpg', state: 'stored' },
  ]);
  expect(await reconcileImages(db, blobs, log, now)).toMatchObject({ found: 0, missing: 0 });
});
