// Runs in a worker thread, so that decoding and measuring leave the service's event loop free.
import { parentPort } from 'node:worker_threads';
import { inspectImage, type ImageJob } from './inspect.ts';

async function work({ bytes, dermoscopic }: ImageJob): Promise<void> {
  const inspection = await inspectImage(bytes, dermoscopic);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
  parentPort?.postMessage(inspection);
}

// A rejection is left unhandled on purpose: it ends this thread, and the pool reports the job as failed.
parentPort?.on('message', (job: ImageJob) => void work(job));
