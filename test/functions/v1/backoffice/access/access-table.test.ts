import { describe, expect, test } from 'vitest';
import { type ProblemCode, problems } from '../../../../../src/contract/problem.ts';
import { Role } from '../../../../../src/contract/role.ts';
import { endpoints } from '../../../../../src/endpoints.ts';
import type { AnyEndpoint } from '../../../../../src/lib/http/endpoint.ts';
import { accessStage, type Thing } from '../../../../support/access-stage.ts';
import { testApp } from '../../../../support/app.ts';
import { accessTable, callers } from './access-table.ts';
import { answerRequests, caseRequests } from './case-requests.ts';
import { deskRequests } from './desk-requests.ts';
import { officeRequests } from './office-requests.ts';
import type { Row } from './rows.ts';

// Each cell of the access table is a real request.

const app = await testApp();
const stage = await accessStage(app);
const requests = { ...caseRequests, ...answerRequests, ...deskRequests, ...officeRequests };
const everyone = callers.map((name) => {
  const caller = stage.people[name];
  if (caller === undefined) throw new Error(`there is no ${name}`);
  return { name, caller };
});

interface Line {
  endpoint: string;
  title: string;
  cells: string[];
}

/** Names of endpoints begin a line; rows are indented, and two spaces end their title. */
function parseTable(text: string): Line[] {
  const lines: Line[] = [];
  let endpoint = '';
  // The first line names the callers.
  for (const line of text.split('\n').slice(2).filter(Boolean)) {
    const [, title, cells] = /^ {2}(\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
    if (title === undefined || cells === undefined) endpoint = line;
    else lines.push({ endpoint, title, cells: cells.split(/\s+/) });
  }
  return lines;
}
const table = parseTable(accessTable);

const declared = new Map(endpoints.map((each) => [each.name, each]));
function endpointOf(name: string): AnyEndpoint {
  const found = declared.get(name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

/** The words of the table for problems; every other stands there by its code. */
const words: Partial<Record<ProblemCode, string>> = {
  authentication_required: '401',
  forbidden: '403',
  annotation_not_found: 'absent',
  case_state_conflict: 'state',
  lease_lost: 'lost',
  annotation_published: 'published',
  own_annotation: 'own',
  capability_required: 'capability',
  physician_profile_required: 'profile',
  reason_required: 'reason',
  live_unavailable: 'off',
  validation_error: 'invalid',
};

/** What an endpoint calls what does not exist; where no path names it, a body does. */
const missingOf = ({ missing, problems: codes }: AnyEndpoint): ProblemCode =>
  missing ?? codes.find((each) => each.endsWith('_not_found')) ?? 'not_found';

const wordFor = (endpoint: AnyEndpoint, code: ProblemCode) =>
  code === missingOf(endpoint) ? '404' : (words[code] ?? code);

/** Of a request about one of several: `done`, or how that one was refused. */
function itemOf(body: string): string | undefined {
  const { results: [first] = [] } = JSON.parse(body) as { results?: { ok?: boolean; code?: ProblemCode }[] };
  if (first?.ok === undefined) return undefined;
  if (first.ok) return 'done';
  const code = first.code as ProblemCode;
  return `-${code === 'case_not_found' ? '404' : (words[code] ?? code)}`;
}

async function outcomeOf(endpoint: AnyEndpoint, reply: Response, marks: readonly string[] | undefined) {
  const body = await reply.text();
  const isJson = reply.headers.get('content-type')?.includes('json') === true;
  if (!reply.ok) {
    const { code } = JSON.parse(body) as { code: ProblemCode };
    expect(reply.status).toBe(problems[code].status);
    return wordFor(endpoint, code);
  }
  const { reply: promised } = endpoint;
  expect(reply.status).toBe(promised.status);
  if (marks !== undefined) return marks.some((mark) => body.includes(mark)) ? 'seen' : 'unseen';
  return (isJson && itemOf(body)) || String(reply.status);
}

/** What each caller gets. Of cases each has one; what else there is, is made for one caller after the other. */
async function ask(endpoint: AnyEndpoint, row: Row): Promise<string[]> {
  const cases =
    row.circumstance === undefined
      ? []
      : await stage.stageCases(
          row.circumstance,
          everyone.map(({ caller }) => caller),
        );
  const answer = async ({ caller }: (typeof everyone)[number], index: number) => {
    const thing = { ...cases[index], ...(await row.make?.(stage, caller)) } as Thing;
    const { path, ...options } = row.ask(thing, caller);
    const { token } = caller;
    const reply = await app.request(path, { ...options, ...(token !== undefined && { token }) });
    return await outcomeOf(endpoint, reply, row.shows?.(thing, cases));
  };
  const got: string[] = [];
  if (row.make === undefined) got.push(...(await Promise.all(everyone.map(answer))));
  else for (const [index, each] of everyone.entries()) got.push(await answer(each, index));
  if (cases.length > 0) await stage.clearCases();
  return got;
}

test('the table has every route of the back office, and every row has a request and a cell for each caller', () => {
  const routes = endpoints.filter(({ route }) => route.startsWith('api/v1/backoffice/'));
  expect(routes.length).toBeGreaterThan(50);
  const named = new Set(table.map(({ endpoint }) => endpoint));
  expect(routes.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  const written = table.map(({ endpoint, title }) => `${endpoint}: ${title}`);
  const asked = Object.entries(requests).flatMap(([name, rows]) =>
    Object.keys(rows).map((title) => `${name}: ${title}`),
  );
  expect(asked.toSorted()).toEqual(written.toSorted());
  expect(new Set(written).size).toBe(written.length);
  for (const { title, cells } of table) expect([title, cells.length]).toEqual([title, callers.length]);
  expect(accessTable.split('\n')[1]?.trim().split(/\s+/)).toEqual([...callers]);
});

test('the callers are of every role', () => {
  expect(Role.options).toEqual(['patient', 'physician', 'admin']);
});

describe.each([...new Set(table.map(({ endpoint }) => endpoint))])('%s', (name) => {
  test.each(table.filter(({ endpoint }) => endpoint === name))('$title', async ({ title, cells }) => {
    const row = requests[name]?.[title];
    if (row === undefined) throw new Error('the row has no request');
    const got = await ask(endpointOf(name), row);
    const named = (words: readonly string[]) =>
      Object.fromEntries(everyone.map((each, index) => [each.name, words[index]]));
    expect(named(got)).toEqual(named(cells));
  });
});
