import { type RawBuilder, sql } from 'kysely';
import type { Staff } from '../../identity/groups/staff.ts';
import { laneLanguagesOf, poolsOf } from '../../cases/record/staff-lanes.ts';
import { CaseStatus, waitingStatuses } from '../../cases/record/case-status.ts';
import type { CaseSearch } from './search.schemas.ts';
import type { Order, Part } from './search-order.queries.ts';

/**
 * Cases that one index has in the order asked for, lane by lane: of each lane the first ones are read, whatever else is
 * there. No case is in two sets of one search.
 */
export interface LaneSet {
  /** The lanes as a table expression; one lane where absent. */
  lanes?: RawBuilder<unknown>;
  /** A table expression `r` of some cases; every case where absent. */
  cases?: RawBuilder<unknown>;
  /** On `request_records r` and the columns of the lanes. */
  where: RawBuilder<unknown>;
  parts: readonly Part[];
  /** PostgreSQL sees that an index has the order behind a column that is null everywhere only where that is sorted by as well. */
  orderFirst?: string;
}

/** What the filters have led to. */
export interface Led {
  /** `patients.id` of those whom they name, if they name any. */
  patientIds: readonly number[] | undefined;
  /** The cases of a time, as a table expression `r`, if those are few. */
  narrow: RawBuilder<unknown> | undefined;
}

type Asked = Pick<
  CaseSearch,
  'scope' | 'status' | 'pending_status' | 'overdue' | 'case_id' | 'batch_uuid' | 'assigned_physician_uuid'
>;

/** Where the cases of a search lie. */
export function searchLanes(
  staff: Staff,
  asked: Asked,
  order: Order,
  { patientIds, narrow }: Led,
): LaneSet[] {
  const anywhere = mayLackTime(order) ? (['dated', 'undated'] as const) : (['all'] as const);
  if (patientIds !== undefined) {
    const lanes = sql`unnest(${patientIds}::bigint[]) AS lane(patient_id)`;
    const where = sql`r.patient_id = lane.patient_id AND ${withinScope(staff, asked)}`;
    return [{ lanes, where, parts: anywhere }];
  }
  if (asked.case_id !== undefined || asked.batch_uuid !== undefined)
    return [{ where: withinScope(staff, asked), parts: anywhere }];
  const isAdmin = staff.actor.role === 'admin';
  switch (asked.scope) {
    case 'mine':
      return [...assigned(staff, asked, order), ...drafted(staff, asked, anywhere)];
    case 'queue':
      return isAdmin ? ofStatuses(['queued'], asked, order) : queued(staff, asked, order);
    default:
      return isAdmin
        ? ofTenant(staff, asked, order, { narrow, anywhere })
        : [
            ...assigned(staff, asked, order),
            ...queued(staff, asked, order),
            ...audited(staff, asked, order, { narrow, anywhere }),
            ...drafted(staff, asked, anywhere),
          ];
  }
}

const mayLackTime = ({ column }: Order) => column === 'due_at' || column === 'submitted_at';

/** The statuses that a case can have that the filters let through. */
function wantedStatuses({ status, pending_status: pending, overdue }: Asked): CaseStatus[] {
  return CaseStatus.options.filter(
    (each) =>
      (status === undefined || status.includes(each)) &&
      (pending === undefined || each === 'on_hold') &&
      (overdue !== true || waitingStatuses.includes(each)),
  );
}

function ofStatuses(
  possible: readonly CaseStatus[],
  asked: Asked,
  { column }: Order,
  where: RawBuilder<unknown> = sql`true`,
): LaneSet[] {
  const statuses = wantedStatuses(asked).filter((each) => possible.includes(each));
  if (statuses.length === 0) return [];
  const lanes = sql`unnest(${statuses}::text[]) AS lane(status)`;
  // Staff see what has been submitted.
  const parts = column === 'due_at' ? (['dated', 'undated'] as const) : (['all'] as const);
  const orderFirst = asked.assigned_physician_uuid === 'none' ? { orderFirst: 'assigned_physician_id' } : {};
  return [{ lanes, where: sql`r.status = lane.status AND ${where}`, parts, ...orderFirst }];
}

const afterDraft = CaseStatus.options.filter((each) => each !== 'draft');

function assigned(staff: Staff, asked: Asked, order: Order): LaneSet[] {
  if (staff.physician === null) return [];
  return ofStatuses(afterDraft, asked, order, sql`r.assigned_physician_id = ${staff.physician.id}`);
}

/** What waits in the lanes of a physician, without what is theirs already where that is listed as well. */
function queued(staff: Staff, asked: Asked, { column }: Order): LaneSet[] {
  if (!wantedStatuses(asked).includes('queued')) return [];
  const isListed = asked.scope === 'queue' ? sql`true` : isOthers(staff);
  const lanes = sql`unnest(${poolsOf(staff)}::text[]) AS pool(name) CROSS JOIN unnest(${laneLanguagesOf(staff)}::text[]) AS spoken(language)`;
  const where = sql`r.status = 'queued' AND r.lane_pool = pool.name AND r.lane_language = spoken.language AND ${isListed}`;
  if (column !== 'due_at') return [{ lanes, where, parts: ['all'] }];
  // The queue is in the order of triage first; a queued case is always due at some time.
  const ranked = sql`${lanes} CROSS JOIN (VALUES (0::smallint), (1), (2)) AS triage(rank)`;
  return [{ lanes: ranked, where: sql`${where} AND r.triage_rank = triage.rank`, parts: ['all'] }];
}

/** Signed cases, which auditors see across lanes. */
function audited(staff: Staff, asked: Asked, order: Order, { narrow, anywhere }: Wide): LaneSet[] {
  if (!staff.capabilities.has('case.audit')) return [];
  const signed: CaseStatus[] = ['answered', 'closed'];
  if (narrow === undefined) return ofStatuses(signed, asked, order, isOthers(staff));
  const where = sql`r.status = ANY (${signed}::text[]) AND ${isOthers(staff)}`;
  return [{ cases: narrow, where, parts: anywhere }];
}

/** Whether a search goes through most cases of the tenant, unless its filters lead to some. */
export const isWide = ({ actor, capabilities }: Staff, { scope, case_id: id, batch_uuid: batch }: Asked) =>
  (scope === undefined || scope === 'tenant') &&
  (id ?? batch) === undefined &&
  (actor.role === 'admin' || capabilities.has('case.audit'));

interface Wide extends Pick<Led, 'narrow'> {
  anywhere: readonly Part[];
}

function drafted(
  { actor }: Staff,
  asked: Asked,
  parts: readonly Part[],
  where: RawBuilder<unknown> = sql`true`,
): LaneSet[] {
  if (!wantedStatuses(asked).includes('draft')) return [];
  return [{ where: sql`r.created_by_user_id = ${actor.id} AND r.status = 'draft' AND ${where}`, parts }];
}

/** Everything that an admin sees: by an index of all cases, or status by status. */
function ofTenant(staff: Staff, asked: Asked, order: Order, { narrow, anywhere }: Wide): LaneSet[] {
  if (narrow !== undefined) return [{ cases: narrow, where: sql`true`, parts: anywhere }];
  const isNarrowed =
    wantedStatuses(asked).length < CaseStatus.options.length || asked.assigned_physician_uuid !== undefined;
  if (isNarrowed) return [...ofStatuses(afterDraft, asked, order), ...drafted(staff, asked, anywhere)];
  // Only a draft of the admin's own was never submitted.
  if (order.column === 'submitted_at')
    return [
      { where: sql`r.submitted_at IS NOT NULL`, parts: ['all'] },
      ...drafted(staff, asked, ['undated']),
    ];
  return [{ where: sql`true`, parts: anywhere }];
}

const isOthers = ({ physician }: Staff) =>
  sql`r.assigned_physician_id IS DISTINCT FROM ${physician?.id ?? null}::integer`;

/** The scope as a condition, where the filters lead to few cases anyhow. */
function withinScope(staff: Staff, { scope }: Asked): RawBuilder<unknown> {
  const { actor, physician } = staff;
  if (scope === 'mine') {
    return sql`(r.assigned_physician_id = ${physician?.id ?? null}::integer
      OR r.created_by_user_id = ${actor.id} AND r.status = 'draft')`;
  }
  if (scope !== 'queue') return sql`true`;
  if (actor.role === 'admin') return sql`r.status = 'queued'`;
  return sql`r.status = 'queued' AND r.lane_pool = ANY (${poolsOf(staff)}::text[])
    AND r.lane_language = ANY (${laneLanguagesOf(staff)}::text[])`;
}
