import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { Page } from '../../../lib/paging/page.ts';
import { nameKeys } from '../../../lib/text/name-keys.ts';
import { physicianName } from './display-name.ts';
import { findPhysicians, findPhysiciansAfter, type PhysicianRow } from './physician.queries.ts';
import type { PhysicianDetails, PhysicianFilter, PhysicianQuery } from './physician.schemas.ts';
import { reviewLanguages, showPhysicians } from './show-physicians.ts';
import { findGroupsOf } from './shown-physician.queries.ts';

const batchSize = 500;
/** Profiles that one request reads to find what it looks for; its cursor leads on from there. */
const maxScanned = 5000;

/**
 * Physicians of the tenant: those named, in the order of the request, or a page of those that fit a filter, in the order in
 * which they joined. A page may be short although a cursor leads on.
 * @throws {Problem} `cursor_invalid`
 */
export async function listPhysicians(
  context: Context,
  actor: AccountActor,
  { uuids, filter = {}, limit, cursor }: PhysicianQuery,
): Promise<Page<PhysicianDetails>> {
  const { db, config, request, audit } = context;
  const show = { actor, now: request.receivedAt };
  const scope = {
    list: 'physicians',
    tenantId: actor.tenantId,
    filters: { account: actor.uuid, filter: JSON.stringify(filter) },
  };
  const [start = 0] = cursor === undefined ? [] : openCursor(config, scope, cursor);
  return await inTenant(db, actor.tenantId, async (tx) => {
    if (uuids !== undefined) {
      const rows = await findPhysicians(tx, uuids);
      const ordered = uuids.flatMap((uuid) => rows.find((row) => row.uuid === uuid) ?? []);
      const items = await showPhysicians(tx, show, ordered);
      await audit.succeeded(tx, { detail: { physicians: items.length } });
      return { items, next_cursor: null, count: null };
    }
    const { rows, next } = await scan(tx, Number(start), limit, (batch) =>
      filterPhysicians(tx, batch, filter, actor),
    );
    const items = await showPhysicians(tx, show, rows);
    await audit.succeeded(tx, { detail: { physicians: items.length, filters: Object.keys(filter) } });
    return { items, next_cursor: next === null ? null : sealCursor(config, scope, [next]), count: null };
  });
}

/** Filters in the app, where names are folded; a tenant has few physicians. */
async function scan(
  tx: Tx,
  start: number,
  limit: number,
  select: (batch: readonly PhysicianRow[]) => Promise<PhysicianRow[]>,
) {
  const found: PhysicianRow[] = [];
  let after = start;
  let isEnd = false;
  for (let scanned = 0; found.length <= limit && scanned < maxScanned && !isEnd; scanned += batchSize) {
    const rows = await findPhysiciansAfter(tx, after, batchSize);
    found.push(...(await select(rows)));
    after = rows.at(-1)?.id ?? after;
    isEnd = rows.length < batchSize;
  }
  const rows = found.slice(0, limit);
  const last = rows.at(-1)?.id ?? after;
  return { rows, next: found.length > limit ? last : isEnd ? null : after };
}

/** Those that fit the filter. Names are folded as those of patients, which the database cannot. */
async function filterPhysicians(
  tx: Tx,
  rows: readonly PhysicianRow[],
  filter: PhysicianFilter,
  actor: AccountActor,
): Promise<PhysicianRow[]> {
  const { language } = filter;
  const found = rows.filter((row) => fits(row, filter, actor));
  if (language === undefined) return found;
  const groups = await findGroupsOf(tx, found);
  return found.filter((row) => reviewLanguages(row, groups.get(row.user_id) ?? []).includes(language));
}

function fits(row: PhysicianRow, filter: PhysicianFilter, { role, id }: AccountActor): boolean {
  const { q, pool, vacation_mode: isAway, active } = filter;
  if (pool !== undefined && row.private_pool !== pool) return false;
  if (isAway !== undefined && row.vacation_mode !== isAway) return false;
  if (active !== undefined && row.is_active !== active) return false;
  if (q === undefined) return true;
  const address = role === 'admin' || row.user_id === id ? row.email : undefined;
  const words = nameKeys(physicianName(row), address);
  const sought = nameKeys(q);
  return sought.length > 0 && sought.every((start) => words.some((word) => word.startsWith(start)));
}
