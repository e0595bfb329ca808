import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import type { Activity, ActivityChange } from './activity.schemas.ts';
import { findOwnProfile, findStaffPhysician, setVacation } from './physician-at-work.queries.ts';
import { handBackAll } from './return-to-queue.ts';

/**
 * A physician goes on vacation or comes back. Who is away gets no cases; what waits for this physician alone goes back to
 * the queue at once, unless `hand_back` says no. Cases in hand stay until their leases end.
 *
 * @throws {Problem} `physician_not_found`, `physician_profile_required`, `forbidden` for a physician who names another,
 *   `validation_error` for an end that has passed
 */
export async function changeActivity(
  context: Context,
  actor: AccountActor,
  { physician_uuid: named, vacation_mode: isAway, until = null, hand_back: handBack }: ActivityChange,
): Promise<Activity> {
  const { audit, request } = context;
  const { receivedAt: now } = request;
  if (until !== null && until <= now) throw endsBefore();
  const sla = await readParameters(context, actor.tenantId, 'queue/sla_hours');
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const physician = await findPhysician(tx, actor, named);
    await setVacation(tx, physician.id, { isAway, until });
    const handedBack =
      isAway && handBack ? await handBackAll(tx, { audit, now, sla }, physician.id, 'vacation') : 0;
    await audit.succeeded(tx, {
      subject: { kind: 'physician', uuid: physician.uuid },
      detail: { vacation_mode: isAway, until: until?.toISOString() ?? null, handed_back: handedBack },
    });
    return { vacation_mode: isAway, until, handed_back: handedBack };
  });
}

async function findPhysician(tx: Tx, actor: AccountActor, named: string | undefined) {
  if (named === undefined) {
    const own = await findOwnProfile(tx, actor.id);
    if (own === undefined) throw new Problem('physician_profile_required');
    return own;
  }
  const found = await findStaffPhysician(tx, named);
  // Physicians may know each other, so that a refusal reveals nothing.
  if (actor.role !== 'admin' && found?.user_id !== actor.id) throw new Problem('forbidden');
  if (found === undefined) throw new Problem('physician_not_found');
  return found;
}

function endsBefore(): Problem {
  const message = 'Must be in the future.';
  return new Problem('validation_error', {
    errors: [{ pointer: '/until', code: 'invalid_value', message }],
  });
}
