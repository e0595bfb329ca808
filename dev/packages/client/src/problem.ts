import type { Problem } from './schema.ts';

/**
 * Whether an `error` is a problem of Dermagate. A proxy or captive portal in between may reply with an error of its own;
 * `error` is then the text of that reply.
 */
export function isProblem(error: unknown): error is Problem {
  const { code, status } = (error ?? {}) as Partial<Problem>;
  return typeof code === 'string' && typeof status === 'number';
}
