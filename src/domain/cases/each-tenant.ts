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
 * Finds cases of one tenant after another and takes each through `step`. A case that fails, or a tenant whose cases cannot be
 * found, is logged and left for the next run; it holds up no other.
 */
export async function forEachCase(
  { db, log }: { db: Db; log: Log },
  find: (tenantId: number) => Promise<{ uuid: string }[]>,
  step: (found: FoundCase) => Promise<void>,
): Promise<Run> {
  const run: Run = { done: 0, failed: 0 };
  const attempt = async (about: { tenant: number; case?: string }, action: () => Promise<void>) => {
    try {
      await action();
    } catch (error) {
      run.failed += 1;
      const code = errorCode(error) ?? 'unexpected';
      log.error('case_step_failed', { ...about, code, ...describeError(error) });
    }
  };
  for (const tenantId of await tenantIds(db)) {
    let found: { uuid: string }[] = [];
    await attempt({ tenant: tenantId }, async () => {
      found = await find(tenantId);
    });
    for (const { uuid } of found) {
      await attempt({ tenant: tenantId, case: uuid }, async () => {
        await step({ tenantId, caseUuid: uuid });
        run.done += 1;
      });
    }
  }
  return run;
}
