import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { type AiRoute, type FakeAi, hang } from '../support/fake-ai.ts';
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

const full = new Set<AiRoute>();

/** Fills one route that `scenario` asks with calls that never end, as many as may be in flight. */
export async function fillAiSlots(
  run: ContractRun,
  ai: FakeAi,
  scenario: NamedScenario,
  scenarios: readonly NamedScenario[],
): Promise<void> {
  const ask = baseOf(scenario);
  const already = ai.calls.length;
  const known = Object.entries(askers).find(([, name]) => name === scenario.name)?.[0] as AiRoute | undefined;
  if (known === undefined)
    await run.send(scenario, ask, await run.stage.setUp(ask, scenario.as)).catch(() => undefined);
  const route = known ?? ai.calls.slice(already).find((call) => call.route in askers)?.route ?? 'red_flags';
  if (full.has(route)) return;
  full.add(route);
  const asker = scenarios.find(({ name }) => name === askers[route]) ?? scenario;
  const filler = baseOf(asker);
  const scope = await run.stage.setUp(filler, asker.as);
  const before = ai.calls.length;
  ai.on(route, hang);
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
}

/** One more than there are hashing threads at most, so that one of them is always refused. */
const flooders = 5;

/** Logins that keep every hashing thread of an instance at work. */
export function floodPasswords(instance: Pick<Theatre, 'request'>) {
  const over = new AbortController();
  let refused = Promise.withResolvers<void>();
  const running: Promise<void>[] = [];

  async function guess(index: number): Promise<void> {
    while (!over.signal.aborted) {
      const reply = await instance.request('/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': freshNetwork() },
        body: JSON.stringify({ email: `guess-${index}@example.org`, password: 'wrong' }),
      });
      await reply.arrayBuffer();
      if (reply.status === 503) refused.resolve();
    }
  }

  return {
    start(): void {
      for (let index = 0; index < flooders; index++) running.push(guess(index));
    },
    /** Tries `work` right after a refusal, until it does not throw. */
    async untilRefused(work: () => Promise<void>): Promise<void> {
      const attempt = async () => {
        refused = Promise.withResolvers();
        await refused.promise;
        await work();
      };
      await vi.waitFor(attempt, { timeout: 50_000, interval: 0 });
    },
    async stop(): Promise<void> {
      over.abort();
      await Promise.all(running);
    },
  };
}
