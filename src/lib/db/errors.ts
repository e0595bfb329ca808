import { DatabaseError } from 'pg';
import { DatabaseSignInFailed } from './entra-token.ts';

/**
 * SQLSTATE classes that say "PostgreSQL is not available", not "your statement is wrong"; 40 is a transaction that
 * was rolled back to let another one pass and can simply be tried again.
 */
const unavailableClasses = ['08', '40', '53', '57', '58'];
const unavailableCodes = new Set([
  '28P01', // invalid password: ours, so the service is broken, not the caller
  '28000', // the role may not log in
  '3D000', // the database does not exist
  '25P03', // idle in transaction timeout
  '55P03', // lock not available within lock_timeout
  '25006', // only reads are accepted: after a failover this server is no longer the primary
]);
/** What `pg` and Node throw when there is no connection to speak on, besides those of {@link isConnectionLost}. */
const connectionMessages = /timeout exceeded when trying to connect/i;
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/**
 * PostgreSQL has ended the connection: an administrator, a crash, or because it idled. Or it has become a standby (25006):
 * a new connection leads to the server that has taken over.
 */
const endedByServer = new Set(['57P01', '57P02', '57P05', '25006']);
/** After a read timeout the reply is still to come, or never will: a further statement would wait behind it. */
const lostMessages = /Connection terminated|Client has encountered a connection error|Query read timeout/i;
const lostSocketCodes = new Set(['ECONNRESET', 'EPIPE']);

/** Whether an error means that the database cannot be reached or used at the moment (503, never 401 or 500). */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    const code = error.code ?? '';
    if (isStalePlan(error) || isForgottenStatement(error)) return true;
    return unavailableCodes.has(code) || unavailableClasses.includes(code.slice(0, 2));
  }
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (error instanceof DatabaseSignInFailed || isConnectionLost(error)) return true;
  return error instanceof Error && (socketCodes.has(codeOf(error)) || connectionMessages.test(error.message));
}

/** Whether an open connection has died: a new one may be well. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseError) return endedByServer.has(error.code ?? '');
  return error instanceof Error && (lostSocketCodes.has(codeOf(error)) || lostMessages.test(error.message));
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether a migration has changed what a prepared statement returns; prepared again, it works. It has done nothing. */
export function isStalePlan(error: unknown): boolean {
  return (
    error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
  );
}

/**
 * Whether a prepared statement is not on the connection that executes it, or one of that name is there already. PostgreSQL
 * itself keeps them apart: a pooler has exchanged the connection.
 */
export function isForgottenStatement(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '26000' || error.code === '42P05');
}

/** Whether PostgreSQL refused a statement and is well itself: another statement may pass. */
export function isOfStatement(error: unknown): boolean {
  return error instanceof DatabaseError && !isConnectionLost(error);
}

/** Whether a statement failed because another transaction held a lock for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03';
}

/** Whether a statement was cancelled because it took longer than `statement_timeout`. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '57014';
}

/** Whether an INSERT or UPDATE broke the unique constraint of that name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === '23505' && error.constraint === constraint;
}

/** Whether a row broke the check of that name. */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === '23514' && error.constraint === constraint;
}
