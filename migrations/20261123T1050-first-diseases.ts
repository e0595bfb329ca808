import { type Kysely, sql } from 'kysely';
import diseases from './data/20261123T1050-diseases.json' with { type: 'json' };

/**
 * The 66 conditions of the reference engine. A disease keeps its id for ever: signed answers name it. Of its ICD-11 codes, only
 * those that its catalogue marks as verified; names but for the English ones await a native reader.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    INSERT INTO disease_catalog (id, slug, icd10, icd11, category, urgency, names, machine_drafted)
    SELECT id, slug, icd10, icd11, category, urgency, names, '{he,ar,es}'
    FROM jsonb_to_recordset(${JSON.stringify(diseases)}::jsonb)
      AS d (id bigint, slug text, icd10 text, icd11 text, category text, urgency text, names jsonb)`.execute(
    db,
  );
}
