import { expect, test } from 'vitest';
import { endpoints } from '../../../src/endpoints.ts';
import { readScenarios } from '../../../test/endpoints/read-scenarios.ts';
import {
  currentDocument,
  documentedExamples,
  type DocumentWithExamples,
  readDocumented,
} from '../openapi/documented-examples.ts';
import type { Example, Recorded } from '../openapi/examples.ts';
import { keepExamples, ownExamples } from './keep-examples.ts';

const scenarios = await readScenarios();
const documented = readDocumented();
const logIn = documented.find(({ operation }) => operation === 'logIn') as Recorded;
const others = documented.filter(({ operation }) => operation !== 'logIn');
const kept = (examples: readonly Recorded[]) =>
  keepExamples(scenarios, examples).find(({ operation }) => operation === 'logIn');
const with400 = (own: Readonly<Record<string, Example>>): Recorded[] => [
  ...others,
  { ...logIn, responses: { ...logIn.responses, 400: own } },
];

test('a document made from the examples of a document is the same', () => {
  const document = currentDocument(endpoints, keepExamples(scenarios, documented));
  expect(Object.keys(logIn.responses).length).toBeGreaterThan(3);
  const again = documentedExamples(document as unknown as DocumentWithExamples);
  expect(JSON.stringify(currentDocument(endpoints, again))).toBe(JSON.stringify(document));
});

test('an example that no scenario and no declaration has is dropped, as is an operation that does not exist', () => {
  const gone = { summary: 'Gone', value: {} };
  expect(kept(with400({ ...logIn.responses['400'], gone }))).toEqual(kept(documented));
  const unknown = { ...logIn, operation: 'logInByFax' };
  expect(keepExamples(scenarios, [...documented, unknown])).toEqual(keepExamples(scenarios, documented));
});

test('an operation that lacks an example is named with what to do', () => {
  expect(() => keepExamples(scenarios, others)).toThrow(
    'docs/openapi.json lacks examples of logIn. Record them: npm run generate -- --record logIn',
  );
  const [code = ''] = Object.keys(logIn.responses['400'] ?? {});
  const { [code]: _lost, ...rest } = logIn.responses['400'] ?? {};
  expect(() => kept(with400(rest))).toThrow('lacks examples of logIn.');
  expect(() => kept([...others, { ...logIn, requests: {} }])).toThrow('lacks examples of logIn.');
});

test('a problem that an operation never answers is no example of its own', () => {
  const borrowing = scenarios.flatMap((scenario) =>
    Object.keys(scenario.never ?? {}).map((code) => [scenario, code] as const),
  );
  expect(borrowing.length).toBeGreaterThan(0);
  for (const [scenario, code] of borrowing) {
    const own = ownExamples(
      scenario,
      documented.find(({ operation }) => operation === scenario.name),
    );
    expect(Object.values(own.responses).some((named) => code in named)).toBe(false);
  }
});
