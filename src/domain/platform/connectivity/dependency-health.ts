import type { AppContext } from '../../../lib/app/context.ts';
import { remembered } from '../../../lib/app/memory.ts';
import { isDatabaseReachable } from '../../../lib/db/reachable.ts';
import { createShortCache } from '../../../lib/concurrency/short-cache.ts';
import { withinMs } from '../../../lib/concurrency/within-ms.ts';

export type ServiceState = 'ok' | 'degraded' | 'down';
type ServiceStates = Record<'database' | 'storage' | 'ai', ServiceState>;

/** However many apps start at once, the services are asked this rarely. */
const cachedForMs = 10_000;
/** Each has so long to answer: the reply must be out within two seconds. */
export const answersWithinMs = 1500;
/** An answer after this time is one of a service in trouble. */
const slowMs = 800;
/** The routes without which an analysis is incomplete. */
const aiRoutes = ['predict_diagnosis', 'red_flags', 'image_validity', 'triage'];

type Source = Pick<AppContext, 'db' | 'blobs' | 'ai' | 'config' | 'log' | 'clock' | 'memory'>;

const stateCache = remembered(() => createShortCache<ServiceStates>({ forMs: cachedForMs, max: 1 }));

/** How the services are that the app depends on, at most ten seconds old. */
export async function readServiceStates(source: Source): Promise<ServiceStates> {
  const cache = source.memory.of(stateCache);
  return await cache.get('states', source.clock.now(), () => ask(source));
}

async function ask({ db, blobs, ai, config, log }: Source): Promise<ServiceStates> {
  const [database, storage] = await Promise.all([
    timed(() => isDatabaseReachable(db, { timeoutMs: answersWithinMs, poolMax: config.PG_POOL_MAX }, log)),
    // Of no blob: storage answers that there is none.
    timed(async () => {
      await withinMs(answersWithinMs, () => blobs.get('connectivity-check'));
      return true;
    }),
  ]);
  return { database, storage, ai: aiState(ai) };
}

/** As the calls of real patients found it: a question of its own would cost the AI service one for each instance. */
function aiState(ai: Source['ai']): ServiceState {
  const broken = aiRoutes.filter((route) => ai.breakerState(route) !== 'closed').length;
  if (broken === 0) return 'ok';
  return broken === aiRoutes.length ? 'down' : 'degraded';
}

async function timed(check: () => Promise<boolean>): Promise<ServiceState> {
  const started = performance.now();
  const answers = await check().catch(() => false);
  if (!answers) return 'down';
  return performance.now() - started > slowMs ? 'degraded' : 'ok';
}
