import { auditEvents } from '../../../contract/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { devicesInUse } from '../../identity/devices/device.queries.ts';

/** By which channels an account wants to be told; none of one that is inactive. */
export async function findChosenChannels(tx: Tx, userId: number): Promise<readonly string[]> {
  const account = await tx
    .selectFrom('users')
    .select('notify_channels')
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return account?.notify_channels ?? [];
}

export async function listPlatformsInUse(tx: Tx, userId: number, now: Date): Promise<string[]> {
  const devices = await devicesInUse(tx, now)
    .select('platform')
    .distinct()
    .where('push_devices.user_id', '=', userId)
    .execute();
  return devices.map(({ platform }) => platform);
}

/** When the patient of a case was told again, the latest time first. */
export async function listRepeats(
  tx: Tx,
  caseUuid: string,
  { since, limit }: { since: Date; limit: number },
): Promise<Date[]> {
  const repeats = await tx
    .selectFrom('event_logs')
    .select('at')
    .where('category', '=', auditEvents.caseNotified.category)
    .where('action', '=', auditEvents.caseNotified.success)
    .where('outcome', '=', 'success')
    .where('case_uuid', '=', caseUuid)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
  return repeats.map(({ at }) => at);
}
