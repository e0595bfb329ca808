import type { NamedScenario } from '../../../test/endpoints/read-scenarios.ts';

export function httpFiles(_scenarios: readonly NamedScenario[]): Record<string, string> {
  return {};
}
