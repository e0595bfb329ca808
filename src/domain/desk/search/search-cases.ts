import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type Page, toPage } from '../../../lib/paging/page.ts';
import { loadStaff, type Staff } from '../../identity/groups/staff.ts';
import { countPatientsRead } from '../../platform/throttle/count-patients-read.ts';
import { isVisibleTo } from '../../cases/record/visible-cases.queries.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import type { CaseSummary } from '../../cases/record/case-summary.schemas.ts';
import { isNamelessTo, showSummaries } from '../cases/show-summaries.ts';
import { filterConditions } from './filter-conditions.queries.ts';
import { findAssigned, findPatients } from './find-named.ts';
import { findNarrowRange } from './narrow-range.queries.ts';
import { countCases, findCases, limitTime, type Search } from './search.queries.ts';
import { isWide, searchLanes } from './search-lanes.queries.ts';
import { orderOf } from './search-order.queries.ts';
import { type CaseSearch, namesPatients } from './search.schemas.ts';

/**
 * Cases that staff may see, page by page. Pages go by keys: cases that arrive meanwhile neither repeat nor hide others.
 * @throws {Problem} `forbidden` for the scope `tenant`, where the caller is no admin; `cursor_invalid`; `search_too_broad`;
 *   `validation_error` for a name without a letter
 */
export async function searchCases(
  context: Context,
  actor: AccountActor,
  { cursor, limit, count, ...asked }: CaseSearch,
): Promise<Page<CaseSummary>> {
  const { config, db, request, audit } = context;
  if (asked.scope === 'tenant' && actor.role !== 'admin') throw new Problem('forbidden');
  const filters = { caller: actor.uuid, asked: canonicalJson(asked) };
  const of = { list: 'cases of the back office', tenantId: actor.tenantId, filters };
  const position = cursor === undefined ? undefined : openCursor(config, of, cursor);
  return await inTenant(db, actor.tenantId, async (tx) => {
    const staff = await loadStaff(tx, actor);
    await limitTime(tx);
    const search = await prepare(tx, staff, asked, request.receivedAt);
    const found = await findCases(tx, search, { position, limit: limit + 1 });
    const page = toPage(found, limit, (last) => sealCursor(config, of, [last.position, last.id]));
    const at = { language: request.language, now: request.receivedAt };
    const hideNames = isNameless(staff, asked);
    const items = await showSummaries(tx, { ...at, hideNames }, page.items);
    const named = items.filter(({ patient }) => patient.display_name !== null);
    await audit.succeeded(tx, { detail: { ...described(asked), items: items.length } });
    const total = count === 'capped' ? await countCases(tx, search) : null;
    await countPatientsRead(
      tx,
      context,
      actor,
      named.map(({ patient }) => patient.uuid),
    );
    return { ...page, items, count: total };
  });
}

type Asked = Omit<CaseSearch, 'cursor' | 'limit' | 'count'>;

async function prepare(tx: Tx, staff: Staff, asked: Asked, now: Date): Promise<Search> {
  const order = orderOf(asked.sort);
  const patientIds = await findPatients(tx, asked);
  const assignedTo = await findAssigned(tx, staff, asked);
  const isNarrowed = patientIds !== undefined || !isWide(staff, asked);
  const narrow = isNarrowed ? undefined : await findNarrowRange(tx, asked, order);
  return {
    sets: searchLanes(staff, asked, order, { patientIds, narrow }),
    conditions: [...filterConditions(asked, { now, assignedTo }), isVisibleTo(staff, 'r')],
    order,
  };
}

/** Whose name is not shown: in the queue nobody's, and elsewhere of those who only wait in the caller's lanes. */
function isNameless(staff: Staff, { scope, ...filters }: Asked): (record: CaseRecord) => boolean {
  if (scope === 'queue') return () => true;
  return namesPatients(filters) ? () => false : isNamelessTo(staff);
}

/** For the event log: what was searched by, without the values. */
function described({ scope, sort, is_test: isTest, ...filters }: Asked) {
  const names = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return { scope: scope ?? null, sort, filters: isTest ? [...names, 'is_test'] : names };
}
