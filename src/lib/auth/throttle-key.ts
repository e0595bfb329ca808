import { createHmac } from 'node:crypto';

/** Derives the key of a counter as an HMAC of its parts, so that the table does not reveal which addresses were tried. */
export type ThrottleKey = (...parts: readonly (string | undefined)[]) => Buffer;

/** @param secret any stable secret of the deployment. */
export function createThrottleKey(secret: string): ThrottleKey {
  return (...parts) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['throttle', ...parts.map((part) => part ?? null)]))
      .digest();
}
