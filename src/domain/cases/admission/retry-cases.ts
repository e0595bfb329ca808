import { inTenant } from '../../../lib/db/tenant.ts';
import { forEachCase, type Run } from '../record/for-each-case.ts';
import { analysedWithinMs, emergencyAnalysedWithinMs } from './record-analysis.ts';
import { type AnalysisWork, resumeCase } from './resume-analysis.ts';
import { findUnanalysed, findUnjudged } from './unfinished-cases.queries.ts';

/** Cases of one tenant in one run. */
const batch = 50;
/** A case is left alone for so long after its last change: a request may be at work on it. */
const undisturbedMs = 30_000;

const before = (now: Date, milliseconds: number) => new Date(now.getTime() - milliseconds);

/**
 * Cases whose analysis was not finished in time, because the AI service failed or their message was lost, go to a human
 * without it: by the times of `analyseCase`, which would ask the AI service about any other.
 */
export async function retryAnalyses(work: AnalysisWork, now: Date): Promise<Run> {
  return await forEachCase(
    work,
    async (tenantId) =>
      await inTenant(work.db, tenantId, (tx) =>
        findUnanalysed(tx, {
          tenantId,
          before: before(now, analysedWithinMs),
          emergenciesBefore: before(now, emergencyAnalysedWithinMs),
          limit: batch,
        }),
      ),
    (found) => resumeCase(work, found, 'retryAnalyses'),
  );
}

/** Cases that were analysed and not judged, because the eligibility service or an instance was away. */
export async function retryEligibility(work: AnalysisWork, now: Date): Promise<Run> {
  return await forEachCase(
    work,
    async (tenantId) =>
      await inTenant(work.db, tenantId, (tx) =>
        findUnjudged(tx, { tenantId, before: before(now, undisturbedMs), limit: batch }),
      ),
    (found) => resumeCase(work, found, 'retryEligibility'),
  );
}
