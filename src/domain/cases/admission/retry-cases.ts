import { sql } from 'kysely';
import { inTenant } from '../../../lib/db/tenant.ts';
import { forEachCase, type Run } from '../record/for-each-case.ts';
import { analysedWithinMs, emergencyAnalysedWithinMs } from './record-analysis.ts';
import { type AnalysisWork, resumeCase } from './resume-analysis.ts';

/** Cases of one tenant in one run. */
const batch = 50;
/** A case is left alone for so long after its last change: a request may be at work on it. */
const undisturbedMs = 30_000;

const before = (now: Date, milliseconds: number) => new Date(now.getTime() - milliseconds);

/**
 * Cases whose analysis was not finished in time, because the AI service failed or their message was lost, go to a human
 * without it.
 */
export async function retryAnalyses(work: AnalysisWork, now: Date): Promise<Run> {
  return await forEachCase(
    work,
    (tenantId) => findUnanalysed(work, tenantId, now),
    (found) => resumeCase(work, found, 'retryAnalyses'),
  );
}

/** Cases that were analysed and not judged, because the eligibility service or an instance was away. */
export async function retryEligibility(work: AnalysisWork, now: Date): Promise<Run> {
  return await forEachCase(
    work,
    (tenantId) => findUnjudged(work, tenantId, now),
    (found) => resumeCase(work, found, 'retryEligibility'),
  );
}

/** Of cases on hold only those whose patient has replied; the index `request_records_replied` has them. */
const replied = sql<boolean>`status = 'on_hold' AND coalesce(eligibility_outcome, 'undetermined') = 'undetermined'`;

/**
 * By the times of `analyseCase`, which would ask the AI service about any other: of a case that was opened again they count
 * from then on. `submitted_at`, which is no later, is what the index has.
 */
async function findUnanalysed({ db }: AnalysisWork, tenantId: number, now: Date) {
  return await inTenant(db, tenantId, async (tx) => {
    const { rows } = await sql<{ uuid: string }>`
      (SELECT uuid FROM request_records
       WHERE tenant_id = ${tenantId} AND status = 'submitted' AND analysis_state = 'pending'
         AND submitted_at <= ${before(now, emergencyAnalysedWithinMs)}
         AND status_changed_at <= ${before(now, emergencyAnalysedWithinMs)}
         AND (urgency = 'emergency' OR status_changed_at <= ${before(now, analysedWithinMs)})
       ORDER BY submitted_at LIMIT ${batch})
      UNION ALL
      (SELECT uuid FROM request_records
       WHERE tenant_id = ${tenantId} AND ${replied} AND analysis_state = 'pending'
         AND updated_at <= ${before(now, emergencyAnalysedWithinMs)}
         AND (urgency = 'emergency' OR updated_at <= ${before(now, analysedWithinMs)})
       ORDER BY updated_at LIMIT ${batch})`.execute(tx);
    return rows;
  });
}

/** The longest unjudged first, so that none is overtaken for ever. */
async function findUnjudged({ db }: AnalysisWork, tenantId: number, now: Date) {
  return await inTenant(db, tenantId, async (tx) => {
    const { rows } = await sql<{ uuid: string }>`
      SELECT uuid FROM (
        SELECT uuid, coalesce(eligibility_checked_at, updated_at) AS since FROM request_records
        WHERE tenant_id = ${tenantId} AND status = 'submitted' AND analysis_state IN ('done', 'degraded')
        UNION ALL
        SELECT uuid, coalesce(eligibility_checked_at, updated_at) FROM request_records
        WHERE tenant_id = ${tenantId} AND ${replied} AND analysis_state IN ('done', 'degraded')) AS unjudged
      WHERE since <= ${before(now, undisturbedMs)}
      ORDER BY since LIMIT ${batch}`.execute(tx);
    return rows;
  });
}
