import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { isVisibleTo } from '../../cases/record/visible-cases.queries.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import type { Counts, Offer } from '../../cases/queue/offered-cases.queries.ts';

const counted = 500;
/** An audit that its auditor has not touched for so long is open to others. */
const idleMs = 24 * 60 * 60 * 1000;

/** Answers that wait for an auditor: not the auditor's own, and not those whose audit another is writing. */
function waiting({ staff, languages, now }: Offer) {
  const { actor, physician } = staff;
  const narrowed = languages === undefined ? sql`` : sql`AND r.language = ANY (${[...languages]}::text[])`;
  return sql`request_records r
    WHERE r.tenant_id = ${actor.tenantId} AND r.audit_state = 'pending' AND ${isVisibleTo(staff, 'r')} ${narrowed}
      AND NOT EXISTS (SELECT FROM dermatologist_annotations own
        WHERE own.tenant_id = r.tenant_id AND own.case_uuid = r.uuid AND own.physician_id = ${physician.id}
          AND own.signed_at IS NOT NULL)
      AND NOT EXISTS (SELECT FROM audit_annotations begun
        WHERE begun.tenant_id = r.tenant_id AND begun.case_uuid = r.uuid AND begun.auditor_id <> ${physician.id}
          AND begun.status = 'draft' AND begun.updated_at > ${new Date(now.getTime() - idleMs)})`;
}

/** The answer that has waited longest for an audit by this auditor; of two requests at once each gets another one. */
export async function pickAudit(tx: Tx, offer: Offer): Promise<CaseRecord | undefined> {
  const { rows } = await sql<CaseRecord>`
    SELECT r.* FROM ${waiting(offer)} ORDER BY r.answered_at, r.id LIMIT 1 FOR UPDATE OF r SKIP LOCKED`.execute(
    tx,
  );
  return rows[0];
}

export async function countAudits(tx: Tx, offer: Offer): Promise<Counts> {
  const { rows } = await sql<Counts>`
    SELECT count(*)::integer AS waiting, (count(*) FILTER (WHERE c.triage_rank < 2))::integer AS waiting_urgent,
      NULL::timestamptz AS oldest_due_at
    FROM (SELECT r.triage_rank FROM ${waiting(offer)} LIMIT ${counted}) AS c`.execute(tx);
  return rows[0] as Counts;
}
