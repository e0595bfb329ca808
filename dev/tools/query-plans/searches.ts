// Each filter of the search with each order, for an admin and for the busiest physician.
import { SearchSort } from '../../../src/domain/desk/search/search.schemas.ts';
import { plannedAnew } from '../../../src/lib/db/prepared-pool.ts';
import { query } from '../../services/postgres.ts';
import { type Executed, searchFaultsOf } from './plan.ts';
import { type Caller, type Side, signInStaff } from './staff.ts';

/** Cases of a page: the usual number. */
const limit = 25;

export interface Search {
  by: 'admin' | 'physician';
  sort: SearchSort;
  /** What is asked for, in words. */
  filter: string;
  caller: Caller;
  json: object;
}

/** Values that the seed has, some of many cases, some of few. */
async function filters(superuserUrl: string): Promise<Record<string, object>> {
  const [known] = (await query(
    superuserUrl,
    `SELECT (SELECT uuid FROM physicians WHERE tenant_id = 1 ORDER BY id OFFSET 7 LIMIT 1) AS physician,
       (SELECT key FROM patient_name_keys WHERE tenant_id = 1 AND key LIKE 'levi%'
        ORDER BY patient_id OFFSET 700 LIMIT 1) AS name, r.*
     FROM (SELECT r.id::int, r.batch_uuid, p.uuid AS patient, p.external_id FROM request_records r
           JOIN patients p ON p.id = r.patient_id WHERE r.tenant_id = 1 AND r.batch_uuid IS NOT NULL LIMIT 1) AS r`,
  )) as {
    physician: string;
    name: string;
    id: number;
    batch_uuid: string;
    patient: string;
    external_id: string;
  }[];
  if (known === undefined) throw new Error('The default tenant has no case of a batch.');
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
  const month = { from: day(60), to: day(30) };
  const oneDay = { from: day(31), to: day(30) };
  return {
    none: {},
    'status, common': { status: ['queued', 'closed'] },
    'status, rare': { status: ['answered', 'in_review'] },
    pending_status: { pending_status: ['awaiting_result'] },
    'created, a day': { created: oneDay },
    'created, a month': { created: month },
    'submitted, a day': { submitted: oneDay },
    'submitted, a month': { submitted: month },
    'due, a day': { due: oneDay },
    'due, a month': { due: month },
    'updated, a day': { updated: oneDay },
    'updated, a month': { updated: month },
    patient_name: { patient_name: known.name },
    patient_uuid: { patient_uuid: known.patient },
    external_id: { external_id: known.external_id },
    case_id: { case_id: known.id },
    batch_uuid: { batch_uuid: known.batch_uuid },
    'assigned_physician_uuid, one': { assigned_physician_uuid: known.physician },
    'assigned_physician_uuid, none': { assigned_physician_uuid: 'none' },
    'disease_id, common': { disease_id: [1_000_000] },
    'disease_id, rare': { disease_id: [1_000_190, 1_000_195] },
    triage_level: { triage_level: ['emergency', 'urgent_24h'] },
    urgency: { urgency: ['emergency'] },
    has_red_flags: { has_red_flags: true },
    pool: { pool: ['clinic-1'] },
    language: { language: ['es'] },
    eligibility_outcome: { eligibility_outcome: ['ineligible'] },
    audit_state: { audit_state: ['pending'] },
    notified: { notified: false, status: ['closed'] },
    overdue: { overdue: true },
    is_test: { is_test: true },
  };
}

const scopes = ['mine', 'queue', undefined];

/** Every filter with every order, for each of those who search. */
export async function searchesOf(side: Omit<Side, 'url'>): Promise<Search[]> {
  const { admin, physician } = await signInStaff(side);
  const all = Object.entries(await filters(side.superuserUrl));
  return SearchSort.options.flatMap((sort) => [
    ...all.map(([filter, json]) => ({
      by: 'admin' as const,
      sort,
      filter,
      caller: admin,
      json: { ...json, sort, limit },
    })),
    ...scopes.map((scope) => ({
      by: 'physician' as const,
      sort,
      filter: scope ?? 'everything',
      caller: physician,
      json: { scope, sort, limit },
    })),
  ]);
}

/** @returns whether it was answered; otherwise it was refused because it took too long. */
export async function sendSearch({ url }: Pick<Side, 'url'>, { caller, json }: Search): Promise<boolean> {
  const init = { method: 'POST', headers: caller.headers, body: JSON.stringify(json) };
  const reply = await fetch(new URL('/api/v1/backoffice/cases/search', url), init);
  const text = await reply.text();
  if (reply.status === 200) return true;
  if (text.includes('search_too_broad')) return false;
  throw new Error(`${init.body}: ${reply.status} ${text}`);
}

/**
 * Sends every search once and prints its faults.
 * @param executedBy runs something and returns what the app has executed meanwhile.
 * @returns the number of faults.
 */
export async function judgeSearches(
  side: Side,
  executedBy: (work: () => Promise<void>) => Promise<Executed[]>,
  rowsOf: (table: string) => number,
): Promise<number> {
  const all = await searchesOf(side);
  const refused: string[] = [];
  let count = 0;
  for (const search of all) {
    const label = `${search.by}, ${search.sort}, ${search.filter}`;
    const executed = await executedBy(async () => {
      if (!(await sendSearch(side, search))) refused.push(label);
    });
    const own = executed.filter(({ text }) => text.startsWith(plannedAnew));
    const faults = new Set(own.flatMap((each) => searchFaultsOf(each.plan, rowsOf, limit)));
    for (const fault of faults) console.log(`  ${label}\n    FAULT: ${fault}`);
    count += faults.size;
  }
  for (const label of refused) console.log(`  ${label}: refused after two seconds`);
  console.log(`v1BackofficeSearchCases: ${all.length} searches, ${count} faults`);
  return count;
}
