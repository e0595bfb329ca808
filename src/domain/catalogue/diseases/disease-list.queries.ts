import { sql } from 'kysely';
import type { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { ListedDisease } from './disease-list.schemas.ts';

/** The own catalogue, among the lists of vendors. */
const ownVendor = 'dermagate';

/** What one statement reads. */
export const entriesAtOnce = 1000;

/** An entry of a list, with all of its names. */
export interface Entry {
  id: number;
  disease_id: number | null;
  code: string;
  names: Partial<Record<Language, string>>;
  synonyms: Partial<Record<Language, string[]>>;
  machine_drafted: string[];
  icd10: string | null;
  icd11: string | null;
  category: string | null;
  urgency: ListedDisease['urgency'];
  parent_code: string | null;
  active: boolean;
}

/** Null for a vendor without a list. */
export async function findVersion(tx: Tx, vendor: string): Promise<number | null> {
  const query =
    vendor === ownVendor
      ? sql<{ version: number | null }>`SELECT max(version) AS version FROM disease_catalog`
      : sql<{ version: number | null }>`
          SELECT max(version) AS version FROM vendor_disease_catalog WHERE vendor = ${vendor}`;
  const { rows } = await query.execute(tx);
  return rows[0]?.version ?? null;
}

/** Entries with a greater id than `after`, in the order of their ids. */
export async function readEntries(
  tx: Tx,
  vendor: string,
  since: Date | undefined,
  after: number,
): Promise<Entry[]> {
  const changed = (column: string) => (since === undefined ? sql`true` : sql`${sql.ref(column)} >= ${since}`);
  const query =
    vendor === ownVendor
      ? sql<Entry>`
          SELECT id, id AS disease_id, slug AS code, names, synonyms, machine_drafted, icd10, icd11, category, urgency,
            NULL AS parent_code, active
          FROM disease_catalog WHERE id > ${after} AND ${changed('updated_at')}
          ORDER BY id LIMIT ${entriesAtOnce}`
      : sql<Entry>`
          SELECT v.id, v.disease_id, v.code, v.names, '{}'::jsonb AS synonyms, '{}'::text[] AS machine_drafted,
            coalesce(v.icd10, d.icd10) AS icd10, coalesce(v.icd11, d.icd11) AS icd11, d.category, d.urgency,
            v.parent_code, v.active
          FROM vendor_disease_catalog v LEFT JOIN disease_catalog d ON d.id = v.disease_id
          WHERE v.vendor = ${vendor} AND v.id > ${after} AND ${changed('v.updated_at')}
          ORDER BY v.id LIMIT ${entriesAtOnce}`;
  return (await query.execute(tx)).rows;
}
