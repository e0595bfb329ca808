import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKeyForResource,
} from '../../../lib/idempotency/idempotency.ts';
import { lockGroup } from '../../identity/groups/group.queries.ts';
import { insertMembers } from '../../identity/groups/member.queries.ts';
import { insertPhysician, requireFreeEmployeeId } from '../../identity/physicians/physician.queries.ts';
import type { NewPhysician, PhysicianDetails } from '../../identity/physicians/physician.schemas.ts';
import { showPhysician } from '../../identity/physicians/show-physicians.ts';
import { requireAdminStill } from '../../identity/users/user.queries.ts';
import { preparationRules } from '../../platform/throttle/auth-limits.ts';
import { withAttempt } from '../../platform/throttle/throttle.ts';
import { findOpenInvitationTo } from '../invitations/invitation.queries.ts';
import { issueInvitation } from '../invitations/issue-invitation.ts';
import { prepareAccount } from '../users/prepared-account.queries.ts';

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

/**
 * Writes the account that is to be activated, its profile and its memberships.
 * @returns the UUID of the profile.
 * @throws {Problem} `group_not_found`, `employee_id_taken`, `email_taken`
 */
async function preparePhysician(
  { audit, request }: Context,
  tx: Tx,
  { id: addedBy, tenantId }: AccountActor,
  input: NewPhysician,
): Promise<string> {
  const { email, display_name, language_preference: language, group_uuids: groups = [] } = input;
  // Before the address, which is unique across all tenants: a request that fails anyway does not reveal whether it is taken.
  const locked: { uuid: string; id: number }[] = [];
  // In one order everywhere, so that no two changes wait for each other.
  for (const uuid of [...new Set(groups)].toSorted()) locked.push({ uuid, ...(await lockGroup(tx, uuid)) });
  await requireFreeEmployeeId(tx, tenantId, input.employee_id);
  const user = await prepareAccount(tx, { tenantId, email, role: 'physician', language });
  const { uuid } = await insertPhysician(tx, {
    tenantId,
    userId: user.id,
    language,
    employeeId: input.employee_id,
    privatePool: input.private_pool,
    settings: { ...input.settings, display_name },
    adminSettings: input.admin_settings ?? {},
  });
  for (const { uuid: group, id: groupId } of locked) {
    const users = [{ id: user.id, uuid: user.uuid, isStaff: true }];
    await insertMembers(tx, { tenantId, groupId, users, addedBy, now: request.receivedAt });
    const subject = { kind: 'user', uuid: user.uuid };
    await audit.as(auditEvents.groupMemberAdded).succeeded(tx, { subject, detail: { group } });
  }
  await audit.succeeded(tx, {
    subject: { kind: 'physician', uuid },
    detail: { user: user.uuid, invited: input.invite, groups: groups.length },
  });
  return uuid;
}
