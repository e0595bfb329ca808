import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKeyForResource,
} from '../../../lib/idempotency/idempotency.ts';
import { findOpenInvitationTo } from '../invitations/invitation.queries.ts';
import { issueInvitation } from '../invitations/issue-invitation.ts';
import { requireAdminStill } from '../../identity/users/user.queries.ts';
import { preparationRules } from '../../platform/throttle/auth-limits.ts';
import { withAttempt } from '../../platform/throttle/throttle.ts';
import type { NewPhysician, PhysicianDetails } from '../../identity/physicians/physician.schemas.ts';
import { preparePhysician } from './prepare-physician.ts';
import { showPhysician } from '../../identity/physicians/show-physicians.ts';

export interface CreatedPhysician {
  physician: PhysicianDetails;
  invitation: { uuid: string; expires_at: Date; invitation_token?: string } | null;
}

/**
 * Prepares the account and the profile of a physician. The account is inactive until its owner registers with the invitation,
 * which is sent now or later. A retry with the same `Idempotency-Key` gets the first reply.
 * @throws {Problem} `email_taken`, `employee_id_taken`, `group_not_found`, `rate_limited`, those of idempotency
 */
export async function createPhysician(
  context: Context,
  actor: AccountActor,
  input: NewPhysician,
): Promise<IdempotentOutcome<CreatedPhysician>> {
  const { db, config, throttleKey, outbox, clock, request } = context;
  const { tenantId } = actor;
  const { email, invite } = input;
  const show = { actor, now: request.receivedAt };
  const language = input.language_preference;
  const key = idempotentRequest(context, actor, 'POST api/v1/backoffice/physicians', [JSON.stringify(input)]);
  const rules = preparationRules(config, throttleKey, actor.uuid);
  const attempt = { rules, now: request.receivedAt, failures: ['email_taken'] } as const;
  const create = async () =>
    await withIdempotencyKeyForResource<CreatedPhysician>(
      db,
      key,
      async (done) =>
        await inTenant(db, tenantId, async (tx) => {
          await requireAdminStill(tx, actor.id);
          const uuid = await preparePhysician(context, tx, actor, input);
          const role = 'physician' as const;
          const invitation = invite
            ? await issueInvitation(context, tx, actor, { email, role, language })
            : null;
          await done?.(tx, uuid);
          const physician = (await showPhysician(tx, show, uuid)) as PhysicianDetails;
          return { physician, invitation };
        }),
      (uuid) =>
        inTenant(db, tenantId, async (tx) => {
          const physician = await showPhysician(tx, show, uuid);
          if (physician === undefined) return undefined;
          return {
            physician,
            invitation: await findOpenInvitationTo(tx, physician.email ?? '', clock.now()),
          };
        }),
    );
  const outcome = await withAttempt(db, attempt, create);
  outbox.kick();
  return outcome;
}
