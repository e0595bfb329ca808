import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { preparedPool } from './prepared-pool.ts';
import { serverAddress } from './server-address.ts';
import type { DB } from './tables.ts';

/** A connection source or a transaction: query functions take it first, so callers compose them. */
export type Db = Kysely<DB>;
/** For functions that must run inside a transaction. */
export type Tx = Transaction<DB>;

export interface DatabaseOptions {
  /** Any role that may become `dermagate_app`; on a laptop the owner's. Without a password: by Entra token. */
  url: string;
  /** Instead of the token of the managed identity. */
  token?: () => Promise<string>;
  /** Connections at most. */
  poolMax: number;
  /** Told about errors of idle connections, for example when PostgreSQL restarts; the pool replaces them. */
  onIdleError: (error: Error) => void;
  /** Called once when a connection pooler loses prepared statements, which the app then does without. */
  onForgottenStatement?: (error: unknown) => void;
}

/**
 * Opens a pool lazily: nothing is connected before the first query.
 *
 * Every connection drops to the application role as it opens, so that row-level security binds the app even
 * where one DATABASE_URL, the owner's, serves both migrations and app.
 */
export function connectDatabase({
  url,
  token,
  poolMax,
  onIdleError,
  onForgottenStatement,
}: DatabaseOptions): {
  db: Db;
  pool: pg.Pool;
} {
  const pool = new pg.Pool({
    ...serverAddress(url, token),
    max: poolMax,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    // Without it a connection whose peer vanished (failover, severed network) would be trusted for minutes.
    keepAlive: true,
    statement_timeout: 10_000,
    query_timeout: 12_000,
    idle_in_transaction_session_timeout: 15_000,
    lock_timeout: 2000,
    application_name: 'dermagate',
    options: '-c role=dermagate_app -c timezone=UTC',
    types: {
      getTypeParser: (type, format) => {
        // bigint columns are ids, far below 2^53: read them as numbers, not as text.
        if (type === pg.types.builtins.INT8 && format !== 'binary') return Number;
        // A date is a day on the calendar: as a point in time it would become another day in other time zones.
        if (type === pg.types.builtins.DATE && format !== 'binary') return String;
        return pg.types.getTypeParser(type, format ?? 'text');
      },
    },
  });
  pool.on('error', onIdleError);
  // Lost while in use: the query rejects and says so. Without a listener the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const prepared = preparedPool(pool, onForgottenStatement ?? (() => undefined));
  return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool: prepared }) }), pool };
}
