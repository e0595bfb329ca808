import { randomBytes } from 'node:crypto';

/** A name that says nothing of owner, time or content; hexadecimal, so that every collation orders names alike. */
export function newBlobName(): string {
  return randomBytes(24).toString('hex');
}
