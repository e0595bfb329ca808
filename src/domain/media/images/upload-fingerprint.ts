import { createHash } from 'node:crypto';

/** Tells one upload from another: the files in their order, whatever boundary or names the form had. */
export function uploadFingerprint(route: string, uploads: readonly Uint8Array[]): Buffer {
  const digest = createHash('sha256').update(route);
  for (const upload of uploads) digest.update(createHash('sha256').update(upload).digest());
  return digest.digest();
}
