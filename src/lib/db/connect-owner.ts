import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { serverAddress } from './server-address.ts';
import type { DB } from './tables.ts';

/**
 * Connections for migrations and commands, in the role that `databaseUrl` names: mostly the owner of the tables. Those of the
 * app drop to its own role (connect.ts). Nothing is connected before the first query; `destroy` ends them.
 *
 * A connection that is lost rejects its statement; after one that is lost between two statements, the next gets another.
 *
 * @param databaseUrl without a password, it signs in by Entra token
 * @param poolMax connections at most
 */
export function connectOwner<Tables = DB>(databaseUrl: string, poolMax = 1): Kysely<Tables> {
  const pool = new pg.Pool({
    ...serverAddress(databaseUrl),
    max: poolMax,
    connectionTimeoutMillis: 10_000,
  });
  // Without these listeners a lost connection would end the process: the first is for one in use, the second for an idle one.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
