// npm run reconcile-images [-- --remove-orphans <count>]: counts the photos of the container that no row names. With a
// count it does what the timer of that name does every night, and removes up to so many: where the timer has stopped
// because there were too many, and they are rubbish all the same. DATABASE_URL and STORAGE_… are the app's.
import {
  countOrphans,
  interruptedAfterMs,
  reconcileImages,
  TooManyOrphans,
} from '../domain/media/images/reconcile-images.ts';
import { systemClock } from '../contract/clock.ts';
import { connectDatabase } from '../lib/db/connect.ts';
import { createLog } from '../lib/telemetry/log.ts';
import { explainError } from './explain-error.ts';
import { openBlobs } from './open-blobs.ts';
import { readArguments } from './read-arguments.ts';

const usage = 'usage: npm run reconcile-images [-- --remove-orphans <count>]';

function readCount(): number | undefined {
  const { values } = readArguments(usage, { options: { 'remove-orphans': { type: 'string' } } });
  const count = values['remove-orphans'];
  if (count !== undefined && !/^\d{1,9}$/.test(count)) throw new Error(usage);
  return count === undefined ? undefined : Number(count);
}

async function run(count: number | undefined): Promise<string> {
  const url = process.env['DATABASE_URL'];
  if (!url) throw new Error('DATABASE_URL must be set: the database of this container.');
  const blobs = openBlobs();
  const { db } = connectDatabase({ url, poolMax: 1, onIdleError: () => undefined });
  const now = systemClock.now();
  try {
    if (count === undefined) {
      const { orphans, blobs: total } = await countOrphans(
        db,
        blobs,
        new Date(now.getTime() - interruptedAfterMs),
      );
      return `${total} blobs, ${orphans} that no row names. To remove them: npm run reconcile-images -- --remove-orphans ${orphans}`;
    }
    const log = createLog(() => undefined);
    const done = await reconcileImages(db, blobs, log, now, { orphans: count });
    return Object.entries(done)
      .map(([what, number]) => `${what}: ${number}`)
      .join('\n');
  } finally {
    await db.destroy();
  }
}

function explain(error: unknown): string {
  if (error instanceof TooManyOrphans) {
    const removed = error.removed === 0 ? 'Nothing was' : `${error.removed} blobs were`;
    return `${error.message}\n${removed} removed.`;
  }
  return explainError(error);
}

if (import.meta.main) {
  try {
    console.log(await run(readCount()));
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
  }
}
