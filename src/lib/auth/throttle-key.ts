import { createHmac } from 'node:crypto';

/** Names of what is counted, as HMACs: the table of counters tells nobody which addresses were tried. */
export type ThrottleKey = (...parts: readonly (string | undefined)[]) => Buffer;

/** @param secret any stable secret of the installation. */
export function createThrottleKey(secret: string): ThrottleKey {
  return (...parts) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['throttle', ...parts.map((part) => part ?? null)]))
      .digest();
}
