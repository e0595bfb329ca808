import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { csvText } from '../../../lib/text/csv.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { trailRead } from './read-trail.ts';
import { type FoundEvent, findTrail } from './trail.queries.ts';
import type { TrailFilters } from './trail.schemas.ts';

/** At most so many events in one file: some megabytes in memory. */
export const exportedEvents = 10_000;

const columns: Readonly<Record<string, (event: FoundEvent) => string | null>> = {
  at: ({ at }) => at.toISOString(),
  category: ({ category }) => category,
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  actor_kind: ({ actor }) => actor.kind,
  actor_uuid: ({ actor }) => actor.uuid,
  actor_role: ({ actor }) => actor.role,
  actor_display_name: ({ actor }) => actor.display_name,
  actor_email: ({ actor }) => actor.email,
  subject_kind: ({ subject }) => subject?.kind ?? null,
  subject_uuid: ({ subject }) => subject?.uuid ?? null,
  case_uuid: ({ case_uuid }) => case_uuid,
  patient_uuid: ({ patient_uuid }) => patient_uuid,
  session_uuid: ({ session_uuid }) => session_uuid,
  request_id: ({ request_id }) => request_id,
  ip_prefix: ({ ip_prefix }) => ip_prefix,
  detail: ({ detail }) => JSON.stringify(detail),
  uuid: ({ uuid }) => uuid,
};

/**
 * The same as a table for a spreadsheet program, all of it or nothing: a list that ends unnoticed proves nothing.
 * @throws {Problem} `search_too_broad` for more than {@link exportedEvents}.
 */
export async function exportTrail(
  { db, audit }: Context,
  { tenantId }: AccountActor,
  filters: TrailFilters,
): Promise<string> {
  return await inTenant(db, tenantId, async (tx) => {
    const rows = await findTrail(tx, tenantId, { filters, after: undefined, limit: exportedEvents });
    if (rows.length > exportedEvents) {
      const detail = `More than ${exportedEvents} events fit. Name a shorter time.`;
      throw new Problem('search_too_broad', { detail });
    }
    await audit.succeeded(tx, trailRead(filters, rows.length));
    const cells = Object.values(columns);
    return csvText(
      Object.keys(columns),
      rows.map((event) => cells.map((cell) => cell(event))),
    );
  });
}
