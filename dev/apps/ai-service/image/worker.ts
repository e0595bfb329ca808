// Runs in a worker thread, so that decoding and measuring leave the service's event loop free.
import { inspectImage, type ImageJob, type Inspection } from './inspect.ts';

/** Called by piscina. */
export default async ({ bytes, dermoscopic }: ImageJob): Promise<Inspection> =>
  await inspectImage(bytes, dermoscopic);
