// The good and the refused requests of every scenario once, and every timer, so that every query of the app runs. Mistakes
// in the form of a request are refused before any query but the caller's.
import { setTimeout as sleep } from 'node:timers/promises';
import { problems } from '../../../src/contract/problem-list.ts';
import { timers } from '../../../src/timers.ts';
import type { NamedScenario } from '../../../test/endpoints/read-scenarios.ts';
import type { AtScale, Good, Refusal } from '../../../test/endpoints/scenario.ts';
import { createStage, type Theatre } from '../../../test/endpoints/stage.ts';
import { createRequestCheck } from '../contract/request-faults.ts';

export interface Step {
  /** Of the function. */
  name: string;
  /** Sends what has to come first. */
  prepare(): Promise<() => Promise<void>>;
}

/** Functions that no scenario plays, for they ask no database. */
export const leftOut = ['getMetrics', 'zz-not-found'];

/**
 * @param document what the app publishes: a request that it would take although it is not that is refused.
 * @param runTimer of the app
 */
export function steps(
  theatre: Theatre,
  scenarios: readonly NamedScenario[],
  document: Record<string, unknown>,
  runTimer: (name: string) => Promise<void>,
): Step[] {
  const stage = createStage(theatre, scenarios);
  const requests = createRequestCheck(document);

  function stepOf({ endpoint, name, as }: NamedScenario, ask: Good | Refusal | AtScale, pauseMs = 0): Step {
    const wanted = statusOf(ask) ?? endpoint.reply.status;
    return {
      name,
      async prepare() {
        const scope = await stage.setUp(ask, as);
        if (pauseMs > 0) await sleep(pauseMs);
        return async () => {
          const { status, text, target } = await stage.send(name, ask, scope);
          const misspelt = requests.unknownQuery({ method: endpoint.method, target });
          if (misspelt.length > 0) throw new Error(misspelt.join('; '));
          if (status !== wanted) throw new Error(`${name} answered ${status}, not ${wanted}: ${text}`);
        };
      },
    };
  }

  const ofScenario = (scenario: NamedScenario): Step[] => {
    const { good, refusals = {}, atScale = {} } = scenario;
    return [
      ...usual(good).map((ask) => stepOf(scenario, ask)),
      ...usual(refusals).map((ask) => stepOf(scenario, ask)),
      ...Object.values(atScale).map((ask) => stepOf(scenario, ask, ask.pauseMs)),
    ];
  };

  return [
    ...scenarios.flatMap(ofScenario),
    // None of the seeded images has a blob; they are too young for that to matter.
    ...timers.map(({ name }) => ({ name, prepare: async () => () => runTimer(name) })),
  ];
}

/** Undefined for the one that the endpoint declares. */
function statusOf(ask: Good | Refusal | AtScale): number | undefined {
  if ('code' in ask && ask.code !== undefined) return problems[ask.code].status;
  return 'status' in ask ? ask.status : undefined;
}

/** Those that need no other settings than the usual ones. */
const usual = <Each extends Good | Refusal>(asks: Record<string, Each>): Each[] =>
  Object.values(asks).filter(({ on }) => on === undefined);
