import type { Db } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';
import type { Attempt } from '../../../lib/concurrency/independent-steps.ts';
import { addNotices, type NewNotice } from '../../announce/live/notice.queries.ts';
import { announcedUntil } from '../../announce/live/warning-time.ts';
import { findEndingSessions } from './open-session.queries.ts';

/** Tells staff whose sessions end within two minutes, once for each end. @returns how many sessions were found. */
export async function announceSessionEnds(db: Db, now: Date, attempt: Attempt): Promise<number> {
  let found = 0;
  const announce = async (tenantId: number) => {
    found += await announceIn(db, tenantId, now);
  };
  await forEachTenant(db, announce, {
    attempt: (about, step) => attempt({ ...about, kind: 'sessions' }, step),
  });
  return found;
}

async function announceIn(db: Db, tenantId: number, now: Date): Promise<number> {
  const sessions = await inTenant(db, tenantId, (tx) => findEndingSessions(tx, now, announcedUntil(now)));
  for (const [userId, own] of Map.groupBy(sessions, ({ user_id: user }) => user)) {
    const notices = own.map((session): NewNotice<'session.expiring'> => {
      const endsAt = session.ends.toISOString();
      return {
        kind: 'session.expiring',
        payload: { session_uuid: session.uuid, ends_at: endsAt },
        once: `session.expiring ${session.uuid} ${endsAt}`,
      };
    });
    await inTenant(db, tenantId, (tx) => addNotices(tx, { userId }, notices, now));
  }
  return sessions.length;
}
