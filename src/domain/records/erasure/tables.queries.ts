import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';

/** Tables of the database with their columns. Migrations' own tables and what extensions brought are no tables of ours. */
export async function findTables(db: Db): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    SELECT c.relname AS table, array_agg(a.attname::text) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'm', 'f') AND NOT c.relispartition
      AND NOT starts_with(c.relname, 'kysely_')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    GROUP BY c.relname ORDER BY c.relname`.execute(db);
  return rows;
}
