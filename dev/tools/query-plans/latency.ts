// The latency of requests on a large database as a ratio to that on a small one, over HTTP.
import { query } from '../../services/postgres.ts';
import { percentile } from '../bench/statistics.ts';
import { searchesOf, sendSearch } from './searches.ts';
import { type Caller, type Side, signIn } from './staff.ts';

/** What the 95th percentile on the large database may be of that on the small one. */
const maxRatio = 2;
/** Requests of each kind on each side that count; each for another account where there are so many. */
const requestCount = 1000;
/** Of each search with each order. */
const searchCount = 20;
/** A twentieth more come first, and do not count. */
const warmUp = (count: number) => Math.ceil(count / 20);

/** Latencies in ms, and how many of them ended with a refusal. */
interface Taken {
  small: number[];
  large: number[];
  refused: number;
}
type Sizes = 'small' | 'large';
type Sides<T> = Record<Sizes, T>;

/**
 * Sends each request to both sides in turns, so that what else the machine does slows both.
 * @returns how many were slower on the large side than they may be.
 */
export async function compareLatency(sides: Sides<Side>, print: (line: string) => void): Promise<number> {
  let faults = 0;
  const show = (name: string, taken: Taken, isGoal: boolean) => {
    const { line, ratio } = describe(taken);
    const isFault = isGoal && !(ratio <= maxRatio);
    if (isFault) faults += 1;
    print(`${name.padEnd(44)} ${line}${isFault ? `  FAULT: × ${maxRatio} at most` : ''}`);
  };
  print(`${''.padEnd(44)}     small p50     p95   large p50     p95 ms`);
  for (const [name, time] of Object.entries(await requestsOf(sides))) {
    show(name, await inTurns(requestCount, time), true);
  }
  const byFilter = await timeSearches(sides);
  for (const [filter, taken] of byFilter) show(`search, ${filter}`, taken, false);
  show(`POST …/cases/search, all of these`, together([...byFilter.values()]), true);
  return faults;
}

/** Sends one request to a side and measures until its reply is there; `i` counts. */
type Time = (side: Sizes, i: number) => Promise<{ ms: number; isRefused?: boolean }>;

async function inTurns(count: number, time: Time): Promise<Taken> {
  const taken: Taken = { small: [], large: [], refused: 0 };
  for (let i = -warmUp(count); i < count; i += 1) {
    // Each is the first as often as the other.
    for (const side of i % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const)) {
      const { ms, isRefused } = await time(side, i);
      if (i < 0) continue;
      taken[side].push(ms);
      if (isRefused === true) taken.refused += 1;
    }
  }
  return taken;
}

async function requestsOf(sides: Sides<Side>): Promise<Record<string, Time>> {
  const patients = await both(
    sides,
    async (side) => await signIn(side, 'patient', 'true ORDER BY random()', requestCount),
  );
  const free = `NOT EXISTS (SELECT FROM physicians p JOIN request_records r ON r.assigned_physician_id = p.id
    WHERE p.user_id = u.id AND r.status = 'in_review') ORDER BY random()`;
  const physicians = await both(sides, async (side) => await signIn(side, 'physician', free, requestCount));
  const caller = (callers: Sides<[Caller, ...Caller[]]>, side: Sizes, i: number) =>
    callers[side].at(i % callers[side].length) ?? callers[side][0];

  const read =
    (pathOf: (own: string) => string): Time =>
    async (side, i) => {
      const { headers, case: own } = caller(patients, side, i);
      const { ms, text } = await timed(sides[side], pathOf(own ?? ''), { headers });
      if (own === null || !text.includes(own)) throw new Error(`${pathOf('{uuid}')} answered ${text}`);
      return { ms };
    };

  const take: Time = async (side, i) => {
    const { headers } = caller(physicians, side, i);
    const post = { method: 'POST', headers };
    const { ms, text } = await timed(sides[side], `${cases}/next-case`, { ...post, body: '{}' });
    const { case: taken, resumed } = JSON.parse(text) as Taking;
    if (taken === null || resumed) throw new Error(`next-case gave no new case: ${text}`);
    const release = JSON.stringify({ action: 'release', reason: 'other', version: taken.version });
    await timed(sides[side], `${cases}/${taken.uuid}/status`, { ...post, body: release });
    // What a physician has put back, that one is not offered again.
    if (i % 10 === 0) await query(sides[side].superuserUrl, 'DELETE FROM case_skips');
    return { ms };
  };

  return {
    'GET /api/v1/mobile/cases': read(() => '/api/v1/mobile/cases'),
    'GET /api/v1/mobile/cases/{uuid}': read((own) => `/api/v1/mobile/cases/${own}`),
    'POST /api/v1/backoffice/cases/next-case': take,
  };
}

/** Of next-case's answer. */
interface Taking {
  case: { uuid: string; version: number } | null;
  resumed: boolean;
}

const cases = '/api/v1/backoffice/cases';

async function timed({ url }: Side, path: string, init: RequestInit): Promise<{ ms: number; text: string }> {
  const startedAt = performance.now();
  const reply = await fetch(new URL(path, url), init);
  const text = await reply.text();
  const ms = performance.now() - startedAt;
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${text}`);
  return { ms, text };
}

/** Each search with each order, by who searches for what. */
async function timeSearches(sides: Sides<Side>): Promise<Map<string, Taken>> {
  const searches = await both(sides, searchesOf);
  const taken = new Map<string, Taken>();
  for (const [at, { by, filter }] of searches.small.entries()) {
    const name = `${by}: ${filter}`;
    const one = await inTurns(searchCount, async (side) => {
      const search = searches[side][at];
      if (search === undefined) throw new Error('Both sides have the same searches.');
      const startedAt = performance.now();
      const isRefused = !(await sendSearch(sides[side], search));
      return { ms: performance.now() - startedAt, isRefused };
    });
    taken.set(name, together([taken.get(name) ?? { small: [], large: [], refused: 0 }, one]));
  }
  return taken;
}

const together = (all: readonly Taken[]): Taken => ({
  small: all.flatMap(({ small }) => small),
  large: all.flatMap(({ large }) => large),
  refused: all.reduce((sum, { refused }) => sum + refused, 0),
});

async function both<T>(sides: Sides<Side>, work: (side: Side) => Promise<T>): Promise<Sides<T>> {
  return { small: await work(sides.small), large: await work(sides.large) };
}

function describe({ small, large, refused }: Taken): { line: string; ratio: number } {
  const [lesser, greater] = [small, large].map((latencies) => {
    const sorted = latencies.toSorted((a, b) => a - b);
    return { p50: percentile(sorted, 50), p95: percentile(sorted, 95) };
  });
  if (lesser === undefined || greater === undefined) throw new Error('unreachable');
  const ratio = greater.p95 / lesser.p95;
  const figures = [lesser.p50, lesser.p95, greater.p50, greater.p95].map((ms) => ms.toFixed(2).padStart(8));
  const note = refused === 0 ? '' : `, ${refused} refused`;
  return {
    line: `${figures.slice(0, 2).join('')}   ${figures.slice(2).join('')}   × ${ratio.toFixed(2)}${note}`,
    ratio,
  };
}
