import type { AppContext } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { forEachCase, type Run } from '../record/for-each-case.ts';
import { findExpiredLeases } from './lease.queries.ts';
import { returnExpired } from './return-expired.ts';

/** Cases of one tenant in one run. */
const batch = 200;

/** Takes back the cases whose leases have run out (T13), where no physician has asked for a next case. */
export async function returnLeases(work: Pick<AppContext, 'db' | 'log'>, now: Date): Promise<Run> {
  return await forEachCase(
    work,
    async (tenantId) =>
      await inTenant(work.db, tenantId, (tx) => findExpiredLeases(tx, { tenantId, now, limit: batch })),
    async ({ tenantId, caseUuid }) => {
      await inTenant(work.db, tenantId, (tx) =>
        returnExpired(tx, { tenantId, now, limit: 1, requestId: 'returnLeases', caseUuid }),
      );
    },
  );
}
