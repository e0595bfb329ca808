import { parentPort } from 'node:worker_threads';

import type { DecodeJob, DecodeReply } from './decode-job.ts';
import { type JpegDecoder, loadJpegDecoder } from './decode-jpeg.ts';
import { checkPngPixels } from './decode-png.ts';
import { makeThumbnail } from './make-thumbnail.ts';

// WebAssembly memory never shrinks. A 12-megapixel photo needs 64 to 100 MB; a worker that has seen larger ones
// gives its memory back by ending.
const SPENT_HEAP_BYTES = 128 * 1024 * 1024;

let jpegDecoder: JpegDecoder | null = null;

async function run(job: DecodeJob): Promise<DecodeReply> {
  if (job.kind === 'thumbnail') {
    // The decoders for display and the encoder hold much memory: this worker has done its work.
    return { result: await makeThumbnail(job.bytes, job.facts, job.side), spent: true };
  }
  const { bytes, facts } = job;
  if (facts.type === 'image/png') return { result: await checkPngPixels(bytes, facts), spent: false };
  jpegDecoder ??= await loadJpegDecoder();
  const result = jpegDecoder.check(bytes, facts);
  return { result, spent: jpegDecoder.isBroken() || jpegDecoder.heapBytes() > SPENT_HEAP_BYTES };
}

if (parentPort === null) throw new Error('decode-worker.ts runs in a worker thread only');
const port = parentPort;
// A throw here is a bug or a lack of memory: it ends the worker, and the waiting side fails the job.
port.on('message', (job: DecodeJob) => void run(job).then((reply) => port.postMessage(reply)));
