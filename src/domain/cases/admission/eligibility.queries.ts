import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../record/case.queries.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The id by which the clinic knows a patient; null when it does not. What an account names for a child counts only where
 * the clinic knows the account, whose own id only the clinic sets.
 */
export async function readMembershipId(tx: Tx, patientId: number): Promise<string | null> {
  const { own, relation, account, holder } = await tx
    .selectFrom('patients as patient')
    .leftJoin('patients as self', (join) =>
      join
        .onRef('self.tenant_id', '=', 'patient.tenant_id')
        .onRef('self.account_user_id', '=', 'patient.account_user_id')
        .on('self.relation', '=', 'self'),
    )
    .select([
      'patient.external_id as own',
      'patient.relation',
      'patient.account_user_id as account',
      'self.external_id as holder',
    ])
    .where('patient.id', '=', patientId)
    .executeTakeFirstOrThrow();
  if (relation === 'self' || account === null) return own;
  return holder === null ? null : (own ?? holder);
}

export async function findTenantSlug(tx: Tx, tenantId: number): Promise<string> {
  const { slug } = await tx
    .selectFrom('tenants')
    .select('slug')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return slug;
}

type Subject = Pick<CaseRecord, 'uuid' | 'patient_id'>;
type Submitted = Pick<CaseRecord, 'id' | 'patient_id' | 'submitted_at'>;

/** How many other cases of this patient reached the queue within the last `days`. */
export async function countRecentCases(tx: Tx, record: Subject, days: number, now: Date): Promise<number> {
  const since = new Date(now.getTime() - days * dayMs);
  const { count } = await tx
    .selectFrom('request_records')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('patient_id', '=', record.patient_id)
    .where('uuid', '<>', record.uuid)
    .where('queued_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * An earlier case of this patient, submitted within the last `days` and still counting, with the same complaint and exactly
 * the same photos. A later one does not count: of two that are judged at the same time each would refuse the other.
 */
export async function findDuplicate(
  tx: Tx,
  record: Submitted,
  {
    complaint,
    photos,
    days,
    now,
  }: { complaint: string | undefined; photos: readonly Buffer[]; days: number; now: Date },
): Promise<string | undefined> {
  if (complaint === undefined || photos.length === 0) return undefined;
  const since = new Date(now.getTime() - days * dayMs);
  const { rows } = await sql<{ uuid: string }>`
    SELECT other.uuid FROM request_records AS other
    JOIN request_anamneses AS answers
      ON answers.case_uuid = other.uuid AND answers.revision = other.anamnesis_revision
    WHERE other.patient_id = ${record.patient_id}
      AND (other.submitted_at, other.id) < (${record.submitted_at}::timestamptz, ${record.id}::bigint)
      AND other.submitted_at > ${since} AND other.status NOT IN ('cancelled', 'ineligible', 'expired')
      AND answers.anamnesis -> 'complaint' ->> 'category' = ${complaint}
      AND ${[...photos].toSorted((a, b) => a.compare(b))}::bytea[] = ARRAY (
        SELECT image.sha256 FROM case_images AS attached
        JOIN images AS image ON image.tenant_id = attached.tenant_id AND image.uuid = attached.image_uuid
        WHERE attached.case_uuid = other.uuid AND attached.removed_at IS NULL ORDER BY image.sha256)
    ORDER BY other.submitted_at LIMIT 1`.execute(tx);
  return rows[0]?.uuid;
}

/** When the checks of a case began to come to no result; undefined when the last one had one. */
export async function undeterminedSince(tx: Tx, record: Subject): Promise<Date | undefined> {
  const { rows } = await sql<{ since: Date | null }>`
    SELECT min(created_at) AS since FROM user_check_logs
    WHERE case_uuid = ${record.uuid} AND check_kind = 'eligibility' AND outcome = 'undetermined'
      AND created_at > coalesce((
        SELECT max(created_at) FROM user_check_logs
        WHERE case_uuid = ${record.uuid} AND check_kind = 'eligibility' AND outcome <> 'undetermined'), '-infinity')`.execute(
    tx,
  );
  return rows[0]?.since ?? undefined;
}

export async function logCheck(
  tx: Tx,
  record: Pick<CaseRecord, 'uuid' | 'tenant_id' | 'patient_id' | 'account_user_id'>,
  check: {
    outcome: string;
    reasons: readonly string[];
    ruleVersion: string;
    source: string;
    latencyMs: number;
    requestId: string;
    now: Date;
  },
): Promise<void> {
  await tx
    .insertInto('user_check_logs')
    .values({
      tenant_id: record.tenant_id,
      user_id: record.account_user_id,
      patient_id: record.patient_id,
      case_uuid: record.uuid,
      check_kind: 'eligibility',
      outcome: check.outcome,
      reasons: [...check.reasons],
      rule_version: check.ruleVersion,
      source: check.source,
      latency_ms: Math.round(check.latencyMs),
      request_id: check.requestId,
      created_at: check.now,
    })
    .execute();
}
