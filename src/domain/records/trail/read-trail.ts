import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type Page, toPage } from '../../../lib/paging/page.ts';
import { findTrail } from './trail.queries.ts';
import type { TrailEvent, TrailFilters, TrailQuery } from './trail.schemas.ts';

/**
 * Events of a case, a patient or an account, the newest first; reading them is an event as well.
 * @throws {Problem} `cursor_invalid`, `search_too_broad`
 */
export async function readTrail(
  { db, config, audit }: Context,
  { tenantId }: AccountActor,
  { cursor, limit, ...filters }: TrailQuery,
): Promise<Page<TrailEvent>> {
  const named = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, value?.toString()]));
  const scope = { list: 'audit trail, newest first', tenantId, filters: named };
  const [moment, id] = cursor === undefined ? [] : openCursor(config, scope, cursor);
  const after = moment === undefined ? undefined : { moment: String(moment), id: Number(id) };
  return await inTenant(db, tenantId, async (tx) => {
    const rows = await findTrail(tx, tenantId, { filters, after, limit });
    const page = toPage(rows, limit, (last) => sealCursor(config, scope, [last.moment, last.id]));
    await audit.succeeded(tx, trailRead(filters, page.items.length));
    return page;
  });
}

/** What the event log says of the reading of a part of it. */
export function trailRead(filters: TrailFilters, count: number) {
  const { case_uuid, patient_uuid, user_uuid, actor_uuid } = filters;
  const of = { case: case_uuid, patient: patient_uuid, user: user_uuid ?? actor_uuid };
  const [subject] = Object.entries(of).flatMap(([kind, uuid]) =>
    uuid === undefined ? [] : [{ kind, uuid }],
  );
  const used = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return { ...(subject !== undefined && { subject }), detail: { filters: used, count } };
}
