// Runs in a separate process (decoder-process.ts), so that an exploit of the native decoders by a hostile picture cannot
// reach the memory and the secrets of the service.
import { constants, setPriority } from 'node:os';
import type { DecodeJob, DecodeReply } from './decode-job.ts';
import { checkPixels, makeThumbnail } from './read-pixels.ts';

/** Resident set size in bytes. A fresh process has 75 MB and grows to 140 MB, at most, by 12-megapixel photos. */
const SPENT_BYTES = 192_000_000;

const send = (reply: DecodeReply) => process.send?.(reply);

async function run(job: DecodeJob): Promise<void> {
  if (job.isCostly) lowerPriority();
  try {
    const { result, aborted } =
      job.kind === 'check' ? await checkPixels(job) : await makeThumbnail(job, job.side);
    // A costly picture lowers the priority for good and leaves memory behind.
    const hasGrown = job.isCostly || process.memoryUsage.rss() > SPENT_BYTES;
    // A decoder that aborts in the middle of a picture may leave corrupt memory behind.
    send({ result, spent: aborted || hasGrown });
  } catch (error) {
    send({ failed: error instanceof Error ? error.message : 'unknown' });
  }
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
