import { type RawBuilder, sql } from 'kysely';
import type { CaseFilters } from './search.schemas.ts';
import { waitingStatuses } from '../../cases/record/case-status.ts';

/** What filters compare with, once names and UUIDs are looked up. */
export interface Facts {
  now: Date;
  /** `physicians.id` for the filter by physician; null for cases without one. */
  assignedTo: number | null | undefined;
}

type Condition = RawBuilder<unknown>;
type List = readonly (string | number)[];

const isOneOf = (column: string, values: List | undefined, type: 'text' | 'bigint'): Condition[] =>
  values === undefined ? [] : [sql`${sql.ref(`r.${column}`)} = ANY (${values}::${sql.raw(type)}[])`];

/** @param column of `request_records r` */
export const isBetween = (column: string, range: CaseFilters['created']): Condition[] => [
  ...(range?.from === undefined ? [] : [sql`${sql.ref(`r.${column}`)} >= ${range.from}::timestamptz`]),
  ...(range?.to === undefined ? [] : [sql`${sql.ref(`r.${column}`)} < ${range.to}::timestamptz`]),
];

const is = (value: boolean | undefined, condition: Condition): Condition[] =>
  value === undefined ? [] : [value ? condition : sql`NOT (${condition})`];

const equals = (column: string, value: string | number | undefined): Condition[] =>
  value === undefined ? [] : [sql`${sql.ref(`r.${column}`)} = ${value}`];

/** The filters as conditions on `request_records r`, but for the patients. */
export function filterConditions(filters: CaseFilters, { now, assignedTo }: Facts): Condition[] {
  return [
    ...isOneOf('status', filters.status, 'text'),
    ...isOneOf('pending_status', filters.pending_status, 'text'),
    ...isBetween('created_at', filters.created),
    ...isBetween('submitted_at', filters.submitted),
    ...isBetween('due_at', filters.due),
    ...isBetween('updated_at', filters.updated),
    ...equals('id', filters.case_id),
    ...equals('batch_uuid', filters.batch_uuid),
    ...(assignedTo === undefined
      ? []
      : [
          assignedTo === null
            ? sql`r.assigned_physician_id IS NULL`
            : sql`r.assigned_physician_id = ${assignedTo}`,
        ]),
    ...isOneOf('disease_id', filters.disease_id, 'bigint'),
    ...isOneOf('triage_level', filters.triage_level, 'text'),
    ...isOneOf('urgency', filters.urgency, 'text'),
    ...is(filters.has_red_flags, sql`r.has_red_flags`),
    ...isOneOf('pool', filters.pool, 'text'),
    ...isOneOf('language', filters.language, 'text'),
    ...isOneOf('eligibility_outcome', filters.eligibility_outcome, 'text'),
    ...isOneOf('audit_state', filters.audit_state, 'text'),
    ...is(filters.notified, sql`r.notified_at IS NOT NULL`),
    ...is(
      filters.overdue,
      sql`coalesce(r.due_at < ${now}, false) AND r.status = ANY (${waitingStatuses}::text[])`,
    ),
    ...is(filters.is_test, sql`r.is_test`),
  ];
}
