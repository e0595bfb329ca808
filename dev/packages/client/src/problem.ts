import type { Problem } from './schema.ts';

/**
 * Whether an `error` is Dermagate's. What stands between, a proxy or a captive portal, may answer with an error of its
 * own, which then is that answer's text.
 */
export function isProblem(error: unknown): error is Problem {
  const { code, status } = (error ?? {}) as Partial<Problem>;
  return typeof code === 'string' && typeof status === 'number';
}
