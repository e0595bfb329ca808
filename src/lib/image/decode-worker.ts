// A process of its own (decoder-process.ts): what a hostile picture breaks in native code ends here, and the memory and
// secrets of the service are out of its reach.
import { constants, setPriority } from 'node:os';
import type { DecodeJob, DecodeReply } from './decode-job.ts';
import { checkPixels, makeThumbnail } from './read-pixels.ts';

/** Resident, in bytes. A fresh process has 75 MB; photos of 12 megapixels let it grow to 140 and no further. */
const SPENT_BYTES = 192_000_000;

const send = (reply: DecodeReply) => process.send?.(reply);

async function run(job: DecodeJob): Promise<void> {
  if (job.isCostly) lowerPriority();
  try {
    const { result, gaveUp } =
      job.kind === 'check' ? await checkPixels(job) : await makeThumbnail(job, job.side);
    // What a costly picture lowered or took does not all come back.
    const hasGrown = job.isCostly || process.memoryUsage.rss() > SPENT_BYTES;
    // What native code leaves behind when it gives up on a picture is what attacks are made of.
    send({ result, spent: gaveUp || hasGrown });
  } catch (error) {
    send({ failed: error instanceof Error ? error.message : 'unknown' });
  }
}

/** Where an ordinary photo wants the same core it goes first. There is no way back without privileges. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It decodes all the same.
  }
}

process.on('message', (job: DecodeJob) => void run(job));
// The service is gone, and with it whoever waits.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
send({ ready: true });
