import type { Db } from '../../../lib/db/connect.ts';
import { forEachTenant } from '../../../lib/db/tenant.ts';
import type { Attempt } from '../../../lib/concurrency/independent-steps.ts';
import { describeError, errorCode, type Log } from '../../../lib/telemetry/log.ts';

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
 * Finds cases of one tenant after another and takes each through `step`. A case that fails, or a tenant whose cases cannot be
 * found, is logged and left for the next run; it holds up no other.
 */
export async function forEachCase(
  { db, log }: { db: Db; log: Log },
  find: (tenantId: number) => Promise<{ uuid: string }[]>,
  step: (found: FoundCase) => Promise<void>,
): Promise<Run> {
  const run: Run = { done: 0, failed: 0 };
  const attempt: Attempt = async (about, step) => {
    try {
      await step();
    } catch (error) {
      run.failed += 1;
      const code = errorCode(error) ?? 'unexpected';
      log.error('case_step_failed', { ...about, code, ...describeError(error) });
    }
  };
  const walkCases = async (tenantId: number) => {
    for (const { uuid } of await find(tenantId)) {
      await attempt({ tenant: tenantId, case: uuid }, async () => {
        await step({ tenantId, caseUuid: uuid });
        run.done += 1;
      });
    }
  };
  await forEachTenant(db, walkCases, { attempt });
  return run;
}
