// The calls of admins.
import type {
  ActivityChange,
  AnalyticsCounts,
  GroupChange,
  GroupMemberChange,
  NewGroup,
  NewPhysician,
  ParametersChange,
  PhysicianQuery,
  PhysicianSettingsChange,
  UserChange,
  Role,
  UserSearch,
} from 'dermagate-client';
import { everyItem } from './every-item.ts';
import { attempt } from './gateway.ts';
import { staff } from './staff.ts';

const { queue, users, invitations, physicians, groups, parameters, auditTrail } = staff;

type Versioned<Body> = Body & { version: number };

export const readCounts = (given: AbortSignal) => attempt((signal) => queue.counts({ signal }), given);

/**
 * Calls `show` with the counts at each change, until `signal` aborts.
 * @throws {DermagateError} where the gateway has no live service, or refuses.
 */
export async function followCounts(
  show: (counts: AnalyticsCounts) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const counts of queue.followCounts({ signal })) show(counts);
}

export const searchUsers = (search: UserSearch, given: AbortSignal) =>
  attempt((signal) => users.search(search, { signal }), given);

const staffRoles = ['physician', 'admin'] as const;

/** The first ten accounts of each role of staff whose address begins with `q`, and whether there are more. */
export const searchStaff = (q: string, given: AbortSignal) =>
  attempt(async (signal) => {
    const pages = await Promise.all(
      staffRoles.map((role) => users.search({ q, role, limit: 10 }, { signal })),
    );
    return {
      items: pages.flatMap(({ items }) => items),
      hasMore: pages.some(({ next_cursor: next }) => next !== null),
    };
  }, given);

export const readUser = (uuid: string, given?: AbortSignal) =>
  attempt((signal) => users.get(uuid, { signal }), given);

export const changeUser = (uuid: string, change: Versioned<UserChange>) =>
  attempt((signal) => users.change(uuid, change, { signal }));

export const endSessions = (uuid: string) => attempt((signal) => users.endSessions(uuid, { signal }));

export const listInvitations = (given: AbortSignal) =>
  attempt((signal) => invitations.list({ signal }), given);

export const invite = (email: string, role: Role) =>
  attempt((signal) => invitations.create({ email, role }, { signal }));

export const resendInvitation = (uuid: string) => attempt((signal) => invitations.resend(uuid, { signal }));

export const revokeInvitation = (uuid: string) => attempt((signal) => invitations.revoke(uuid, { signal }));

export const listPhysicians = (search: PhysicianQuery, given?: AbortSignal) =>
  attempt((signal) => physicians.list(search, { signal }), given);

export const createPhysician = (body: NewPhysician, idempotencyKey: string) =>
  attempt((signal) => physicians.create(body, { idempotencyKey, signal }));

export const changePhysician = (change: Versioned<PhysicianSettingsChange>) =>
  attempt((signal) => physicians.updateSettings(change, { signal }));

export const changeActivity = (change: ActivityChange) =>
  attempt((signal) => physicians.changeActivity(change, { signal }));

export const listGroups = (cursor: string | undefined, given: AbortSignal) =>
  attempt(
    (signal) => groups.list({ limit: 100, ...(cursor !== undefined && { cursor }) }, { signal }),
    given,
  );

export const listAllGroups = (given: AbortSignal) =>
  attempt((signal) => everyItem((at) => groups.list({ limit: 100, ...at }, { signal })), given);

/** @param cursor of its members. */
export const readGroup = (uuid: string, cursor: string | undefined, given?: AbortSignal) =>
  attempt(
    (signal) => groups.get(uuid, { limit: 50, ...(cursor !== undefined && { cursor }) }, { signal }),
    given,
  );

export const createGroup = (body: NewGroup) => attempt((signal) => groups.create(body, { signal }));

export const changeGroup = (uuid: string, change: Versioned<GroupChange>) =>
  attempt((signal) => groups.update(uuid, change, { signal }));

export const deleteGroup = (uuid: string) => attempt((signal) => groups.delete(uuid, { signal }));

export const changeMembers = (uuid: string, change: GroupMemberChange) =>
  attempt((signal) => groups.changeMembers(uuid, change, { signal }));

export const listParameters = (cursor: string | undefined, given: AbortSignal) =>
  attempt(
    (signal) => parameters.list({ limit: 100, ...(cursor !== undefined && { cursor }) }, { signal }),
    given,
  );

export const readParameterSet = (branch: string, subBranch: string, given?: AbortSignal) =>
  attempt((signal) => parameters.get(branch, subBranch, { signal }), given);

export const replaceParameters = (branch: string, subBranch: string, change: Versioned<ParametersChange>) =>
  attempt((signal) => parameters.replace(branch, subBranch, change, { signal }));

export type TrailFilter = NonNullable<Parameters<typeof auditTrail.csv>[0]>;

export const readTrail = (filter: TrailFilter, cursor: string | undefined, given: AbortSignal) =>
  attempt(
    (signal) =>
      auditTrail.list({ ...filter, limit: 50, ...(cursor !== undefined && { cursor }) }, { signal }),
    given,
  );

export const exportTrail = (filter: TrailFilter) => attempt((signal) => auditTrail.csv(filter, { signal }));
