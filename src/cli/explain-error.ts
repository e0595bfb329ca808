import { isDatabaseUnavailable } from '../lib/db/errors.ts';

/** An error in words for the person who runs a command: what to check, no stack. */
export function explainError(error: unknown): string {
  if (isDatabaseUnavailable(error)) return 'The database that DATABASE_URL names cannot be reached.';
  return error instanceof Error ? error.message : String(error);
}
