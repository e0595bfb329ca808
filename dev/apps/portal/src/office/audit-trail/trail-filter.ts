import type { paths } from 'dermagate-client';

type TrailFilter = NonNullable<paths['/api/v1/backoffice/audit-trail/csv']['get']['parameters']['query']>;

export const kinds = ['case_uuid', 'patient_uuid', 'user_uuid', 'actor_uuid'] as const;
export const categories = ['auth', 'access', 'case', 'ai', 'admin', 'system'] as const;
export const outcomes = ['success', 'failure', 'denied'] as const;

/** Of the filters in the address: UUIDs and codes only, no names or addresses of people. */
export const filterNames = ['whose', 'id', 'category', 'action', 'outcome', 'from', 'to'] as const;
export type TrailValues = Readonly<Record<(typeof filterNames)[number], string>>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

const oneOf = <Value extends string>(values: readonly Value[], text: string): Value | undefined =>
  values.find((value) => value === text);

/**
 * The filter that the gateway reads; undefined while no case or person is named; the id is a case's by default.
 * @param values as they stand in the address, where a person can write anything: what fits no form is left out.
 */
export function toTrailFilter(values: TrailValues): TrailFilter | undefined {
  const whose = oneOf(kinds, values.whose) ?? kinds[0];
  const id = values.id.toLowerCase();
  if (!UUID.test(id)) return undefined;
  const category = oneOf(categories, values.category);
  const outcome = oneOf(outcomes, values.outcome);
  const action = values.action
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((each) => /^[a-z0-9_.]{1,64}$/.test(each));
  const from = startOf(values.from);
  const to = startOf(values.to);
  // The day itself counts, also one of 23 hours.
  to?.setDate(to.getDate() + 1);
  return {
    [whose]: id,
    ...(category !== undefined && { category }),
    ...(outcome !== undefined && { outcome }),
    ...(action.length > 0 && { action: action.join(',') }),
    ...(from !== undefined && { from: from.toISOString() }),
    ...(to !== undefined && { to: to.toISOString() }),
  };
}

/** Where the day begins for the reader. */
function startOf(day: string): Date | undefined {
  const start = DAY.test(day) ? new Date(`${day}T00:00:00`) : undefined;
  return start === undefined || Number.isNaN(start.getTime()) ? undefined : start;
}
