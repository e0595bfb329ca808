// Judges from the event log what physicians did to a queue: who had which case when, and whether each got the first one.

/** A case as it was put into the queue. */
export interface Waiting {
  uuid: string;
  id: number;
  rank: number;
  pool: string;
  language: string;
  dueAt: number;
  /** Milliseconds of the test's clock after which it surely waited. */
  since: number;
}

/** A request by the test's clock, from before it was sent until after its reply. */
export interface Interval {
  from: number;
  to: number;
  /** Without a reply: what it did is known from its events only, and it may have locked a case for nothing. */
  failed: boolean;
}

export interface Happening {
  case_uuid: string;
  action: string;
  actor_user_id: number | null;
  request_id: string;
}

export interface Worker {
  userId: number;
  /** In the order in which they are offered. */
  pools: readonly string[];
  languages: readonly string[];
}

/** What a case was in whose hand, event by event. @returns what is wrong with it; empty when each had it alone. */
export function faultsOfHands(events: readonly Happening[]): string[] {
  const holders = new Map<string, number | null>();
  const answers = new Map<string, number>();
  const faults: string[] = [];
  for (const { case_uuid: uuid, action, actor_user_id: actor } of events) {
    const holder = holders.get(uuid) ?? null;
    const wrong = () => void faults.push(`${uuid}: ${action} by ${actor}, in the hand of ${holder}`);
    if (action === 'case_taken') {
      if (holder !== null) wrong();
      holders.set(uuid, actor);
    } else if (action === 'case_released') {
      if (holder !== actor) wrong();
      holders.set(uuid, null);
    } else if (action === 'case_lease_expired') {
      if (holder === null) wrong();
      holders.set(uuid, null);
    } else if (action === 'case_answered') {
      if (holder !== actor || answers.has(uuid)) wrong();
      answers.set(uuid, (answers.get(uuid) ?? 0) + 1);
    }
  }
  return faults;
}

interface Window {
  from: number;
  to: number;
}

/** After a process was killed, PostgreSQL may keep the locks of its requests for so long. */
export const lockedMs = 2000;

/**
 * Whether each physician got the first case of the own lanes: by rank, reserved before private before general, due time and
 * id. A case passes for the better one only if it surely waited during the whole of the request, by its events and
 * the intervals of the requests that made them.
 */
export function judgeOrder(
  cases: readonly Waiting[],
  workers: readonly Worker[],
  events: readonly Happening[],
  requests: ReadonlyMap<string, Interval>,
): { faults: string[]; judged: number; unjudged: number } {
  const windows = new Map(cases.map(({ uuid, since }) => [uuid, [{ from: since, to: Infinity }]]));
  const skipped = new Set<string>();
  const takes: { event: Happening; skips: ReadonlySet<string> }[] = [];
  for (const event of events) {
    const { case_uuid: uuid, action, actor_user_id: actor, request_id: id } = event;
    const own = windows.get(uuid) as Window[];
    const request = requests.get(id);
    if (action === 'case_taken') {
      (own.at(-1) as Window).to = request?.from ?? 0;
      takes.push({ event, skips: new Set([...skipped].filter((key) => key.startsWith(`${actor} `))) });
    } else if (action === 'case_released' || action === 'case_lease_expired') {
      own.push({ from: request?.to ?? Infinity, to: Infinity });
      if (action === 'case_released') skipped.add(`${actor} ${uuid}`);
    }
  }
  const failed = [...requests.values()].filter((each) => each.failed);
  const byUuid = new Map(cases.map((each) => [each.uuid, each]));
  const faults: string[] = [];
  let judged = 0;
  let unjudged = 0;
  for (const { event, skips } of takes) {
    const request = requests.get(event.request_id);
    const worker = workers.find(({ userId }) => userId === event.actor_user_id);
    const taken = byUuid.get(event.case_uuid);
    // Taken again in order to be signed late: no choice from the queue.
    if (request === undefined || worker === undefined || taken === undefined || !isNextCase(event)) continue;
    if (failed.some(({ from, to }) => from < request.to && to + lockedMs > request.from)) {
      unjudged += 1;
      continue;
    }
    judged += 1;
    const better = cases.find(
      (each) =>
        isBetter(each, taken, worker) &&
        !skips.has(`${worker.userId} ${each.uuid}`) &&
        (windows.get(each.uuid) ?? []).some(({ from, to }) => from < request.from && to > request.to),
    );
    if (better !== undefined) faults.push(`${event.request_id} took ${taken.uuid} before ${better.uuid}`);
  }
  return { faults, judged, unjudged };
}

const isNextCase = ({ request_id: id }: Happening) => id.startsWith('next-');

function isBetter(one: Waiting, other: Waiting, { pools, languages }: Worker): boolean {
  if (!pools.includes(one.pool) || !languages.includes(one.language)) return false;
  const order = (pool: string) => (pool === 'general' ? 1 : 0);
  const keys = [
    one.rank - other.rank,
    order(one.pool) - order(other.pool),
    one.dueAt - other.dueAt,
    one.id - other.id,
  ];
  return (keys.find((key) => key !== 0) ?? 0) < 0;
}
