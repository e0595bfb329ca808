import type { AccountActor } from '../../../contract/actor.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { lockVisibleCase } from '../../cases/record/visible-cases.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { configuredChannels } from '../../announce/news/configured-channels.ts';
import { repeatNews } from './repeat-news.ts';

/**
 * Has the patient of a case told again that there is an answer.
 *
 * @returns the channels by which messages are on their way.
 * @throws {Problem} `case_not_found`, `nothing_to_publish`, `no_channel`, `notified_recently`
 */
export async function notifyPatient(
  context: Context,
  actor: AccountActor,
  uuid: string,
  { channels: wanted }: { channels?: readonly Channel[] | undefined },
): Promise<{ queued: Channel[] }> {
  const { db, audit, push, outbox, request } = context;
  const channels = await configuredChannels(context, actor.tenantId);
  const queued = await inTenant(db, actor.tenantId, async (tx) => {
    const record = await lockVisibleCase(tx, await loadStaff(tx, actor), uuid);
    return await repeatNews(tx, { audit, now: request.receivedAt, push, channels }, record, wanted);
  });
  outbox.kick();
  return { queued };
}
