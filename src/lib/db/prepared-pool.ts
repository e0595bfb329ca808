import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { isConnectionLost, isForgottenStatement, isStalePlan } from './errors.ts';

/**
 * Texts that get a name, at most: PostgreSQL keeps a plan of each on every connection. The app has fewer; a list of
 * values, whose length is part of the text, could otherwise add more without end.
 */
const maxNamed = 250;

const nothing = (command: string): QueryResult => ({ command, rowCount: 0, oid: 0, rows: [], fields: [] });

/**
 * Begins a statement that gets no name, because its plan depends on the values: PostgreSQL plans it anew each time. Its text
 * may differ from request to request.
 */
export const plannedAnew = '/* planned anew */';

/**
 * The pool as Kysely uses it, with fewer round trips and less work for PostgreSQL:
 *
 * - A statement with parameters is prepared under a name, once for each connection.
 * - BEGIN is sent when the first statement is: with the tenant, which is a statement without parameters, in one message.
 *
 * A migration can make a prepared statement unusable ({@link isStalePlan}). Then all statements get new names, and connections
 * replace those of before as they are returned. Outside of a transaction the statement runs again, since it has
 * done nothing; a transaction fails, and `inTransaction` repeats it.
 *
 * @param onForgotten called once, when a connection pooler between app and PostgreSQL loses prepared statements: from then
 *   on statements have no names.
 */
export function preparedPool(pool: Pool, onForgotten: (error: unknown) => void): PostgresPool {
  const numbers = new Map<string, number>();
  const openedIn = new WeakMap<PoolClient, number>();
  let generation = 0;
  let hasNames = true;

  function nameOf(text: string): string | undefined {
    if (!hasNames || text.startsWith(plannedAnew)) return undefined;
    let number = numbers.get(text);
    if (number === undefined) {
      if (numbers.size >= maxNamed) return undefined;
      number = numbers.size;
      numbers.set(text, number);
    }
    return `d${generation}_${number}`;
  }

  /** @returns whether the statement, which has not run, can run now. */
  function renew(error: unknown, failedIn: number): boolean {
    if (isForgottenStatement(error)) {
      if (hasNames) onForgotten(error);
      hasNames = false;
    } else if (!isStalePlan(error)) return false;
    // Of several statements that fail at the same time only the first one finds the names in use.
    if (failedIn === generation) generation += 1;
    return true;
  }

  function wrap(client: PoolClient): PostgresPoolClient {
    let isBeginDue = false;
    let inTransaction = false;
    let isLost = false;

    async function run(text: string, values: unknown[], isRepeated = false): Promise<QueryResult> {
      const name = values.length > 0 ? nameOf(text) : undefined;
      if (name === undefined) return await client.query(text, values);
      const usedIn = generation;
      try {
        return await client.query({ name, text, values });
      } catch (error) {
        if (!renew(error, usedIn) || inTransaction || isRepeated) throw error;
        return await run(text, values, true);
      }
    }

    async function send(text: string, parameters: readonly unknown[]): Promise<QueryResult> {
      if (text === 'begin') {
        isBeginDue = true;
        return nothing('BEGIN');
      }
      // Its connection goes, and with it the transaction: behind an unanswered statement a rollback would wait as long again.
      if (isLost && text === 'rollback') return nothing('ROLLBACK');
      const isEnd = text === 'commit' || text === 'rollback';
      if (isEnd) inTransaction = false;
      if (!isBeginDue) return await run(text, [...parameters]);
      isBeginDue = false;
      if (isEnd) return nothing(text.toUpperCase());
      inTransaction = true;
      if (parameters.length === 0) return lastOf(await client.query(`BEGIN; ${text}`));
      await client.query('BEGIN');
      return await run(text, [...parameters]);
    }

    function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
    function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
    function query(text: unknown, parameters: readonly unknown[] = []): unknown {
      if (typeof text !== 'string') throw new TypeError('cursors are not used');
      return send(text, parameters).catch((error: unknown) => {
        // PostgreSQL reports its end before it closes the connection: the pool would hand it out once more.
        isLost ||= isConnectionLost(error);
        throw error;
      });
    }

    return {
      query,
      release: (destroy = false) => client.release(destroy || isLost || openedIn.get(client) !== generation),
    };
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      if (!openedIn.has(client)) openedIn.set(client, generation);
      return wrap(client);
    },
  };
}

/** The driver's result of several statements in one message is a list, which its types do not know. */
function lastOf(results: QueryResult | readonly QueryResult[]): QueryResult {
  const last = [results].flat().at(-1);
  return last ?? nothing('SELECT');
}
