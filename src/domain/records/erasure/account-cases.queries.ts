import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { affected } from './affected.queries.ts';
import type { Account } from './person.queries.ts';
import { personTables } from './person-tables.ts';
import { inSubmittedCase } from './photos.queries.ts';

/** What became of the cases of an account. */
export interface ErasedCases {
  /** Rows that went, by table. */
  removed: Record<string, number>;
  /** Submitted cases that stay, without the account. */
  kept: number;
}

/**
 * Removes drafts with all that hangs on them. A case that was submitted is a medical record, which outlives the account: it
 * stays, and nothing in it names the account any more.
 */
export async function eraseCases(tx: Tx, account: Account): Promise<ErasedCases> {
  const removed: Record<string, number> = {};
  const tenant = sql`tenant_id = ${account.tenantId}`;
  const drafts = sql`(SELECT uuid FROM request_records
    WHERE ${tenant} AND account_user_id = ${account.id} AND submitted_at IS NULL)`;
  await tx
    .deleteFrom('ml_diagnosis_results')
    .where(sql<boolean>`case_uuid IN ${drafts}`)
    .execute();
  await giveUpPhysician(tx, account);
  let kept = 0;
  for (const [table, plan] of Object.entries(personTables)) {
    if (plan.rows !== 'of_cases') continue;
    const name = sql.table(table);
    removed[table] = await affected(
      tx,
      sql`DELETE FROM ${name} WHERE ${tenant} AND ${sql.ref(plan.case)} IN ${drafts}`,
    );
    for (const column of plan.blanks) {
      const changed = await affected(
        tx,
        sql`UPDATE ${name} SET ${sql.ref(column)} = NULL WHERE ${tenant} AND ${sql.ref(column)} = ${account.id}`,
      );
      if (column === 'account_user_id') kept = changed;
    }
  }
  // Taken off drafts that were submitted later: the photos go, and no row of those cases may name them.
  removed['case_images'] =
    (removed['case_images'] ?? 0) +
    (await affected(
      tx,
      sql`DELETE FROM case_images USING images WHERE images.${tenant} AND images.owner_user_id = ${account.id}
        AND case_images.tenant_id = images.tenant_id AND case_images.image_uuid = images.uuid AND NOT ${inSubmittedCase}`,
    ));
  await sql`UPDATE images SET owner_user_id = NULL
    WHERE ${tenant} AND owner_user_id = ${account.id} AND ${inSubmittedCase}`.execute(tx);
  removed['patient_name_keys'] = await detachKept(tx, account);
  return { removed, kept };
}

/** Locks the cases of an account, in the order of their uuids. */
export async function lockCases(tx: Tx, { id, tenantId }: Account): Promise<void> {
  await tx
    .selectFrom('request_records')
    .select('uuid')
    .where('tenant_id', '=', tenantId)
    .where('account_user_id', '=', id)
    .orderBy('uuid')
    .forUpdate()
    .execute();
}

/** Cases that a physician has in hand at this moment: they must go back to the queue first. */
export async function countLeases(tx: Tx, account: Account): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM request_records r JOIN physicians p ON p.id = r.assigned_physician_id
    WHERE r.tenant_id = ${account.tenantId} AND p.user_id = ${account.id} AND r.status = 'in_review'`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** What a physician has signed is part of the medical record and stays, without its author; drafts go. */
async function giveUpPhysician(tx: Tx, { id, tenantId }: Account): Promise<void> {
  const profile = sql`(SELECT id FROM physicians WHERE tenant_id = ${tenantId} AND user_id = ${id})`;
  await sql`DELETE FROM case_skips WHERE tenant_id = ${tenantId} AND physician_id IN ${profile}`.execute(tx);
  for (const [table, author] of [
    ['audit_annotations', 'auditor_id'],
    ['dermatologist_annotations', 'physician_id'],
  ] as const) {
    const theirs = sql`tenant_id = ${tenantId} AND ${sql.ref(author)} IN ${profile}`;
    await sql`DELETE FROM ${sql.table(table)} WHERE ${theirs} AND status = 'draft'`.execute(tx);
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(author)} = NULL WHERE ${theirs}`.execute(tx);
  }
  await sql`UPDATE dermatologist_annotations SET template_id = NULL WHERE tenant_id = ${tenantId}
    AND template_id IN (SELECT id FROM report_templates WHERE physician_id IN ${profile})`.execute(tx);
  await sql`UPDATE request_records SET assigned_physician_id = NULL
    WHERE tenant_id = ${tenantId} AND assigned_physician_id IN ${profile}`.execute(tx);
}

/**
 * Profiles and batches of which a case stays lose the account; the others go with it. No search finds a profile by its name any
 * more. @returns how many keys of names went.
 */
async function detachKept(tx: Tx, { id, tenantId }: Account): Promise<number> {
  const theirs = sql`tenant_id = ${tenantId} AND account_user_id = ${id}`;
  await sql`UPDATE case_batches b SET account_user_id = NULL, client_batch_id = NULL WHERE ${theirs} AND EXISTS (
    SELECT FROM request_records r WHERE r.tenant_id = b.tenant_id AND r.batch_uuid = b.uuid)`.execute(tx);
  const keys = await affected(
    tx,
    sql`DELETE FROM patient_name_keys WHERE tenant_id = ${tenantId}
      AND patient_id IN (SELECT id FROM patients WHERE ${theirs})`,
  );
  await sql`UPDATE patients p SET account_user_id = NULL WHERE ${theirs} AND EXISTS (
    SELECT FROM request_records r WHERE r.tenant_id = p.tenant_id AND r.patient_id = p.id)`.execute(tx);
  return keys;
}
