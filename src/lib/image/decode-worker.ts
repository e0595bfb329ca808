// Runs in a separate process (decoder-process.ts), so that an exploit of the native decoders by a hostile picture cannot
// reach the memory and the secrets of the service.
import { readSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { DecodeJob, DecodeReply } from './decode-job.ts';
import { checkPixels, makeThumbnail } from './read-pixels.ts';

/** Resident set size in bytes. A fresh process has 75 MB and grows to 140 MB, at most, by 12-megapixel photos. */
const SPENT_BYTES = 192_000_000;

const STDIN = 0;

const send = (reply: DecodeReply) => process.send?.(reply);

async function run(job: DecodeJob): Promise<void> {
  if (job.isCostly) lowerPriority();
  const picture = readPicture(job.bytes);
  try {
    const { result, aborted } =
      job.kind === 'check' ? await checkPixels(job, picture) : await makeThumbnail(job, picture, job.side);
    // A costly picture lowers the priority for good and leaves memory behind.
    const hasGrown = job.isCostly || process.memoryUsage.rss() > SPENT_BYTES;
    // A decoder that aborts in the middle of a picture may leave corrupt memory behind.
    send({ result, spent: aborted || hasGrown });
  } catch (error) {
    send({ failed: error instanceof Error ? error.message : 'unknown' });
  }
}

/** Blocks until the picture has arrived: this process has nothing else to do. */
function readPicture(bytes: number): Buffer {
  const picture = Buffer.allocUnsafeSlow(bytes);
  for (let at = 0; at < bytes;) {
    const read = readSync(STDIN, picture, at, bytes - at, null);
    // The service has ended.
    if (read === 0) process.exit(1);
    at += read;
  }
  return picture;
}

/** Gives ordinary photos precedence on a shared core. Raising the priority again would need privileges. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Decoding works at the normal priority too.
  }
}

process.on('message', (job: DecodeJob) => void run(job));
// The service has ended; nothing waits for the result.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
send({ ready: true });
