import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { type AiRoute, type FakeAi, GOOD_REPLIES, json } from '../support/fake-ai.ts';
import type { ContractRun } from './contract-run.ts';
import { baseOf } from './derived.ts';
import type { NamedScenario } from './read-scenarios.ts';
import { freshNetwork, type Theatre } from './stage.ts';

/** As the client has it: src/lib/ai/ai-client.ts. */
const slotsOfRoute = 48;

/** The cheapest request that asks each route of the AI service. */
const askers: Readonly<Partial<Record<AiRoute, string>>> = {
  red_flags: 'checkRedFlags',
  image_validity: 'checkImage',
  predict_diagnosis: 'predictDiagnosis',
  triage: 'triageCase',
  next_question: 'getNextQuestion',
};

/** Calls that take every slot of the AI service's routes, until `answer` is called. */
export function crowdOfAiCalls(run: ContractRun, ai: FakeAi, scenarios: readonly NamedScenario[]) {
  const full = new Set<AiRoute>();
  const over = Promise.withResolvers<void>();

  async function routeOf(scenario: NamedScenario): Promise<AiRoute> {
    const known = Object.entries(askers).find(([, name]) => name === scenario.name)?.[0];
    if (known !== undefined) return known as AiRoute;
    const ask = baseOf(scenario);
    const already = ai.calls.length;
    await run.send(scenario, ask, await run.stage.setUp(ask, scenario.as)).catch(() => undefined);
    return ai.calls.slice(already).find((call) => call.route in askers)?.route ?? 'red_flags';
  }

  return {
    /** Fills one route that `scenario` asks, with as many calls as may be in flight. */
    async fillFor(scenario: NamedScenario): Promise<void> {
      const route = await routeOf(scenario);
      if (full.has(route)) return;
      full.add(route);
      const asker = scenarios.find(({ name }) => name === askers[route]) ?? scenario;
      const filler = baseOf(asker);
      const scope = await run.stage.setUp(filler, asker.as);
      const before = ai.calls.length;
      ai.on(route, async (call, response) => {
        await over.promise;
        await json(GOOD_REPLIES[route])(call, response);
      });
      // Photos of one user wait for each other, and no more than some of them.
      const fill = async (): Promise<void> => {
        const { status } = await run.stage.send(asker.name, filler, scope);
        if (status !== 429) return;
        await sleep(50);
        await fill();
      };
      for (let count = 0; count < slotsOfRoute; count++) void fill().catch(() => undefined);
      await vi.waitFor(() => {
        const asked = ai.calls.slice(before).filter((call) => call.route === route).length;
        if (asked < slotsOfRoute) throw new Error(`${asked} calls of ${route}`);
      }, 60_000);
    },
    /** Left hanging they would hold up the end of the app. */
    answer() {
      over.resolve();
      ai.reset();
    },
  };
}

/** One more than there are hashing threads at most, so that one of them is always refused. */
const flooders = 5;

/**
 * Logins that take every hashing thread of an instance, for as long as one hash takes: a flood that goes on would hash
 * for all of the time that requests are prepared, and ends where guesses of one account are throttled.
 */
export function floodPasswords(instance: Pick<Theatre, 'request'>) {
  let isFull = false;
  let floods = 0;
  let ended = Promise.resolve();

  /** Settles as soon as one login is refused, for then all threads are at work. */
  async function flood(): Promise<void> {
    await ended;
    const refused = Promise.withResolvers<void>();
    floods += 1;
    async function guess(index: number): Promise<void> {
      const reply = await instance.request('/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': freshNetwork() },
        body: JSON.stringify({ email: `guess-${floods}-${index}@example.org`, password: 'wrong' }),
      });
      await reply.arrayBuffer();
      isFull = reply.status === 503;
      if (isFull) refused.resolve();
    }
    const guesses = Array.from({ length: flooders }, (_, index) => guess(index));
    ended = Promise.all(guesses).then(
      () => refused.reject(new Error('No login was refused.')),
      (error: unknown) => refused.reject(error),
    );
    await refused.promise;
  }

  return {
    /** Has `work` done while no thread is free, again with what `prepare` returns when one was free after all. */
    async whileFull<Prepared>(
      prepare: () => Promise<Prepared>,
      work: (prepared: Prepared) => Promise<void>,
    ): Promise<void> {
      const attempt = async () => {
        const prepared = await prepare();
        if (!isFull) await flood();
        await work(prepared);
      };
      await vi.waitFor(attempt, { timeout: 50_000, interval: 0 });
    },
    /** Waits until the last hash is done. */
    untilOver: () => ended,
  };
}
