import { problemsOf } from '../../../src/lib/http/endpoint-problems.ts';
import type { NamedScenario } from '../../../test/endpoints/read-scenarios.ts';
import type { Good } from '../../../test/endpoints/scenario.ts';
import type { Example, Recorded } from '../openapi/examples.ts';

type Examples = Recorded['responses'];

/**
 * The recorded examples that the scenarios still have, in their order. What no scenario or declaration names any more is
 * dropped.
 * @throws with what to do, when an operation lacks one.
 */
export function keepExamples(scenarios: readonly NamedScenario[], recorded: readonly Recorded[]): Recorded[] {
  const known = new Map(recorded.map((each) => [each.operation, each]));
  const kept = scenarios.map((scenario) => ownExamples(scenario, known.get(scenario.name)));
  const lacking = scenarios.filter((scenario, index) => lacks(scenario, kept[index] as Recorded));
  if (lacking.length > 0) {
    const names = lacking.map(({ name }) => name).join(' ');
    throw new Error(
      `docs/openapi.json lacks examples of ${names}. Record them: npm run generate -- --record ${names}`,
    );
  }
  return kept;
}

/** What was recorded of an operation itself: the document shows a problem that it never answers as another one does. */
export function ownExamples(
  { name, endpoint, good, never = {} }: NamedScenario,
  recorded: Recorded | undefined,
): Recorded {
  const { requests = {}, responses = {}, schemas = {} } = recorded ?? {};
  const names = [...Object.keys(good), ...problemsOf(endpoint).filter((code) => never[code] === undefined)];
  return { operation: name, requests: named(requests, names), responses: named(responses, names), schemas };
}

function named(examples: Examples, names: readonly string[]): Examples {
  const kept = Object.entries(examples).map(([key, own]) => {
    const shown = names.flatMap((name) => {
      const example = own[name];
      return example === undefined ? [] : [[name, example] as const];
    });
    return [key, Object.fromEntries(shown)] as const;
  });
  return Object.fromEntries(kept.filter(([, own]) => Object.keys(own).length > 0));
}

function lacks({ endpoint, good, never = {} }: NamedScenario, { requests, responses }: Recorded): boolean {
  const { reply } = endpoint;
  const shown = (examples: Readonly<Record<string, Readonly<Record<string, Example>>>>, name: string) =>
    Object.values(examples).some((own) => name in own);
  const isSent = ({ json, form, status = reply.status }: Good) =>
    (json !== undefined || form !== undefined) && status < 300;
  const isAnswered = ({ status = reply.status }: Good) => 'body' in reply && status !== 304;
  return (
    Object.entries(good).some(
      ([name, each]) =>
        (isSent(each) && !shown(requests, name)) || (isAnswered(each) && !shown(responses, name)),
    ) || problemsOf(endpoint).some((code) => never[code] === undefined && !shown(responses, code))
  );
}
