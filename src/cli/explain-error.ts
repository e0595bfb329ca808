import { BlobUnavailable } from '../lib/blob/blob-store.ts';
import { isDatabaseUnavailable } from '../lib/db/errors.ts';
import { errorCode } from '../lib/telemetry/log.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html; row-level security refuses with it as well. */
const insufficientPrivilege = '42501';

/** A table, a column or a function that is not there. */
const otherSchema: ReadonlySet<string | undefined> = new Set(['42P01', '42703', '42883']);

export const ownerNeeded = 'DATABASE_URL must name the role that owns the tables, as for npm run db:migrate.';

/**
 * An error in words for the person who runs a command: what to check, no stack.
 * @param needed whom DATABASE_URL must name, where PostgreSQL denies a permission
 */
export function explainError(error: unknown, needed = ownerNeeded): string {
  if (isDatabaseUnavailable(error)) {
    return `The database that DATABASE_URL names cannot be reached, or refuses: ${messageOf(error)}`;
  }
  if (error instanceof BlobUnavailable) {
    // A container that is not there, a role that is missing and a server that is away each need something else.
    return `The blob storage that STORAGE_… names cannot be reached, or refuses: ${reasonOf(error.cause)}`;
  }
  if (isInvalidUrl(error) && error.input === process.env['DATABASE_URL']) {
    return 'DATABASE_URL is not an address of the form postgresql://user:password@host:port/database.';
  }
  if (otherSchema.has(errorCode(error))) {
    return `${messageOf(error)}. The database that DATABASE_URL names was never migrated, or by another version: npm run db:migrate.`;
  }
  return errorCode(error) === insufficientPrivilege ? `${messageOf(error)}. ${needed}` : messageOf(error);
}

/** Several addresses of a host that all refused come as an error without words. */
function messageOf(error: unknown): string {
  return (error instanceof Error && error.message) || errorCode(error) || String(error);
}

/** Storage explains itself by a code; what follows the first line of its message are ids of the request. */
function reasonOf(cause: unknown): string {
  return errorCode(cause) ?? messageOf(cause).split('\n')[0] ?? '';
}

function isInvalidUrl(error: unknown): error is { input: string } {
  return error instanceof TypeError && errorCode(error) === 'ERR_INVALID_URL' && 'input' in error;
}
