import { isLockTimeout } from './errors.ts';

const lockTimedOut =
  'another transaction holds a lock that it needs. It stopped waiting rather than delay every request behind it; ' +
  'nothing is broken. Try again; if it fails again, find long transactions in pg_stat_activity (xact_start).';

/** An error that names the file that failed and the reason, with PostgreSQL's error as its cause. */
export function migrationFailure(file: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : 'unknown error';
  return new Error(`${file}: ${isLockTimeout(cause) ? lockTimedOut : reason}`, { cause });
}
