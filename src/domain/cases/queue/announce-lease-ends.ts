import type { Db } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';
import type { Attempt } from '../../../lib/concurrency/independent-steps.ts';
import { addNotices, type NewNotice } from '../../announce/live/notice.queries.ts';
import { announcedUntil } from '../../announce/live/warning-time.ts';
import { findEndingLeases } from './lease.queries.ts';

/** Bounds a run: far more than end within two minutes in one clinic. */
const most = 5000;

/** Tells physicians which of their leases end within two minutes, once for each end. @returns how many leases were found. */
export async function announceLeaseEnds(db: Db, now: Date, attempt: Attempt): Promise<number> {
  let found = 0;
  const announce = async (tenantId: number) => {
    found += await announceIn(db, tenantId, now);
  };
  await forEachTenant(db, announce, {
    attempt: (about, step) => attempt({ ...about, kind: 'leases' }, step),
  });
  return found;
}

async function announceIn(db: Db, tenantId: number, now: Date): Promise<number> {
  const leases = await inTenant(db, tenantId, (tx) =>
    findEndingLeases(tx, { after: now, until: announcedUntil(now), limit: most }),
  );
  for (const [physicianId, own] of Map.groupBy(leases, ({ physician }) => physician)) {
    if (physicianId === null) continue;
    const notices = own.map(({ uuid, ends }): NewNotice<'lease.expiring'> => {
      const endsAt = ends?.toISOString() ?? '';
      return {
        kind: 'lease.expiring',
        payload: { case_uuid: uuid, ends_at: endsAt },
        once: `lease.expiring ${uuid} ${endsAt}`,
      };
    });
    await inTenant(db, tenantId, (tx) => addNotices(tx, { physicianId }, notices, now));
  }
  return leases.length;
}
