import type { Db } from '../../lib/db/connect.ts';
import { tenantIds } from '../../lib/db/tenant.ts';
import { describeError, errorCode, type Log } from '../../lib/log.ts';

/** What a timer's run over the cases of all tenants has done. */
export interface Run {
  done: number;
  failed: number;
}

/** A case as timers find it. */
export interface FoundCase {
  tenantId: number;
  caseUuid: string;
}

/**
 * Finds cases of one tenant after another and takes each through `step`. One that fails is logged and left for the next
 * run; it holds up no other.
 */
export async function forEachCase(
  { db, log }: { db: Db; log: Log },
  find: (tenantId: number) => Promise<{ uuid: string }[]>,
  step: (found: FoundCase) => Promise<void>,
): Promise<Run> {
  const run: Run = { done: 0, failed: 0 };
  for (const tenantId of await tenantIds(db)) {
    for (const { uuid } of await find(tenantId)) {
      try {
        await step({ tenantId, caseUuid: uuid });
        run.done += 1;
      } catch (error) {
        run.failed += 1;
        const code = errorCode(error) ?? 'unexpected';
        log.error('case_step_failed', { case: uuid, tenant: tenantId, code, ...describeError(error) });
      }
    }
  }
  return run;
}
