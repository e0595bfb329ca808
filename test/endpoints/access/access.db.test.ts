import { describe, expect, test } from 'vitest';
import type { ProblemCode } from '../../../src/contract/problem.ts';
import { problems } from '../../../src/contract/problem-list.ts';
import { Role } from '../../../src/contract/role.ts';
import type { AnyEndpoint } from '../../../src/lib/http/endpoint.ts';
import { accessStage, type Thing } from '../../support/access-stage.ts';
import { testApp } from '../../support/app.ts';
import { readScenarios } from '../read-scenarios.ts';
import { callers, cellWords } from './callers.ts';
import type { Row } from './rows.ts';

// Each cell of the rows of access in the scenarios is a real request.

const app = await testApp();
const stage = await accessStage(app);
const scenarios = await readScenarios();
const withRows = scenarios.filter(({ access }) => access !== undefined);
const everyone = Object.keys(callers).map((name) => {
  const caller = stage.people[name];
  if (caller === undefined) throw new Error(`there is no ${name}`);
  return { name, caller };
});

/** What an endpoint calls what does not exist; where no path names it, a body does. */
const missingOf = ({ missing, problems: codes }: AnyEndpoint): ProblemCode =>
  missing ?? codes.find((each) => each.endsWith('_not_found')) ?? 'not_found';

const words: Partial<Record<ProblemCode, string>> = cellWords;
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

test('every route of the back office has a row in its scenario, and every row a cell for each caller', () => {
  const ofBackOffice = scenarios.filter(({ endpoint }) => endpoint.route.startsWith('api/v1/backoffice/'));
  expect(ofBackOffice.length).toBeGreaterThan(50);
  const without = ofBackOffice.filter(({ access = {} }) => Object.keys(access).length === 0);
  expect(without.map(({ path }) => `test/endpoints/${path}.scenario.ts has no access`)).toEqual([]);
  const odd = withRows.flatMap(({ name, access = {} }) =>
    Object.entries(access)
      .filter(([, { cells }]) => cells.split(' ').length !== everyone.length)
      .map(([title]) => `${name}: ${title}`),
  );
  expect(odd).toEqual([]);
});

test('the callers are of every role', () => {
  expect(Role.options).toEqual(['patient', 'physician', 'admin']);
});

describe.each(withRows.map(({ name, endpoint, access = {} }) => [name, endpoint, access] as const))(
  '%s',
  (_name, endpoint, access) => {
    test.each(Object.entries(access))('%s', async (_title, { cells, ...row }) => {
      const got = await ask(endpoint, row);
      const named = (found: readonly string[]) =>
        Object.fromEntries(everyone.map((each, index) => [each.name, found[index]]));
      expect(named(got)).toEqual(named(cells.split(' ')));
    });
  },
);
