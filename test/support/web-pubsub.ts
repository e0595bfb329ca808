import { randomBytes } from 'node:crypto';
import { startWebPubSub, type WebPubSub } from '../../dev/services/web-pubsub.ts';
import { afterwards } from './cleanup.ts';

/** A stand-in for Azure Web PubSub, gone with the calling file or test. */
export async function webPubSub(): Promise<WebPubSub> {
  const service = await startWebPubSub({ key: randomBytes(32).toString('base64url') });
  afterwards(service.stop);
  return service;
}
