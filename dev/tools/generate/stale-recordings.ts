import { inputsOf } from '../../../test/endpoints/inputs.ts';
import { readScenarios } from '../../../test/endpoints/read-scenarios.ts';
import { readRecorded } from '../openapi/read-recorded.ts';

/** The operations whose examples were recorded from other inputs, or never. */
export async function staleRecordings(): Promise<string[]> {
  const recorded = new Map(readRecorded().map(({ operation, inputs }) => [operation, inputs]));
  return (await readScenarios())
    .filter((scenario) => recorded.get(scenario.name) !== inputsOf(scenario))
    .map(({ name }) => name);
}
