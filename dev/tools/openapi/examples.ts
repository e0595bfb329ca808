import type { AnyEndpoint } from '../../../src/lib/http/endpoint.ts';
import type { ProblemCode } from '../../../src/contract/problem.ts';
import { problems } from '../../../src/contract/problem-list.ts';
import { problemsOf } from '../../../src/lib/http/endpoint-problems.ts';

/** A named example as OpenAPI has it. */
export interface Example {
  summary: string;
  value: unknown;
}

/** What one operation was asked and answered, as the contract test records it and docs/openapi.json shows it. */
export interface Recorded {
  operation: string;
  /** By content type, and then by the name of the example. */
  requests: Readonly<Record<string, Readonly<Record<string, Example>>>>;
  /** By status, and then by the name of the example. */
  responses: Readonly<Record<string, Readonly<Record<string, Example>>>>;
  /** Values of schemas, by component name. */
  schemas: Readonly<Record<string, unknown>>;
}

/** Names of shared examples by what they are called where they are shown. */
export type ExampleNames = Readonly<Record<string, string>>;

export interface OperationExamples {
  /** By content type. */
  requests: Readonly<Record<string, ExampleNames>>;
  /** By status. */
  responses: Readonly<Record<string, ExampleNames>>;
}

export interface SharedExamples {
  /** By the name of their component. */
  shared: Readonly<Record<string, Example>>;
  operations: Readonly<Record<string, OperationExamples>>;
  /** Values of schemas, by component name. */
  schemas: Readonly<Record<string, unknown>>;
}

/**
 * The recorded examples of all operations as components, equal ones once. A documented problem that no request can
 * produce is shown as another operation answers it.
 */
export function shareExamples(
  endpoints: readonly AnyEndpoint[],
  recorded: readonly Recorded[],
): SharedExamples {
  const position = new Map(endpoints.map(({ name }, index) => [name, index]));
  const known = recorded.filter(({ operation }) => position.has(operation));
  // In the order of the endpoints, so that a document made from the examples of the last one is the same.
  const placed = [...known.flatMap(placedExamples), ...borrowed(endpoints, known)].toSorted(
    (a, b) => (position.get(a.operation) ?? 0) - (position.get(b.operation) ?? 0),
  );
  const names = componentNames(placed);
  const shared: Record<string, Example> = {};
  const operations: Record<
    string,
    Record<'requests' | 'responses', Record<string, Record<string, string>>>
  > = {};
  for (const { operation, part, key, name, example } of placed) {
    const component = names.get(textOf(example)) as string;
    shared[component] ??= example;
    const own = (operations[operation] ??= { requests: {}, responses: {} });
    (own[part][key] ??= {})[name] = component;
  }
  const schemas = Object.assign({}, ...known.map((each) => each.schemas)) as Record<string, unknown>;
  return { shared: sorted(shared), operations: sorted(operations), schemas };
}

interface Placed {
  operation: string;
  part: 'requests' | 'responses';
  /** Content type or status. */
  key: string;
  name: string;
  component: string;
  example: Example;
}

function placedExamples({ operation, requests, responses }: Recorded): Placed[] {
  return (['requests', 'responses'] as const).flatMap((part) =>
    Object.entries(part === 'requests' ? requests : responses).flatMap(([key, examples]) =>
      Object.entries(examples).map(([name, example]) => ({
        operation,
        part,
        key,
        name,
        component: isProblem(name)
          ? pascal(name)
          : `${pascal(operation)}${pascal(name)}${part === 'requests' ? 'Request' : 'Reply'}`,
        example,
      })),
    ),
  );
}

function borrowed(endpoints: readonly AnyEndpoint[], recorded: readonly Recorded[]): Placed[] {
  const placed = recorded.flatMap(placedExamples);
  return endpoints.flatMap((endpoint) =>
    problemsOf(endpoint)
      .filter((code) => !(String(problems[code].status) in alternativesOf(endpoint)))
      .filter((code) => !placed.some(({ operation, name }) => operation === endpoint.name && name === code))
      .flatMap((code) => {
        const lent = placed.find(({ name }) => name === code);
        return lent === undefined ? [] : [{ ...lent, operation: endpoint.name }];
      }),
  );
}

/** Statuses that an endpoint answers in a shape of its own. */
function alternativesOf({ reply }: AnyEndpoint): Record<string, unknown> {
  return 'alternative' in reply && reply.alternative !== undefined
    ? { [reply.alternative.status]: reply.alternative }
    : {};
}

const isProblem = (name: string): name is ProblemCode => Object.hasOwn(problems, name);

/**
 * The name of each different example. Where one name stands for several, the one that is used most keeps it and the
 * others are named after the operation that shows them first.
 */
function componentNames(placed: readonly Placed[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [component, same] of Map.groupBy(placed, (each) => each.component)) {
    const byValue = [...Map.groupBy(same, ({ example }) => textOf(example))];
    for (const [position, [text, users]] of byValue
      .toSorted(([, a], [, b]) => b.length - a.length)
      .entries()) {
      const own = position === 0 ? component : `${pascal(users[0]?.operation ?? '')}${component}`;
      if (!names.has(text)) names.set(text, own);
    }
  }
  return names;
}

const textOf = (example: Example) => JSON.stringify([example.summary, example.value]);

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export const pascal = (words: string): string =>
  words.replaceAll(/(?:^|[_-])([a-z])/g, (_start, letter: string) => letter.toUpperCase());

/** The `examples` of a media type; nothing where none was recorded. */
export function exampleRefs(names: ExampleNames | undefined): { examples?: Record<string, object> } {
  if (names === undefined) return {};
  const refs = Object.entries(names).map(
    ([name, shared]) => [name, { $ref: `#/components/examples/${shared}` }] as const,
  );
  return { examples: Object.fromEntries(refs) };
}
