import { DermagateError } from '../dermagate-error.ts';
import { pause } from '../pause.ts';
import type { AnalyticsCounts, AnalyticsSubscription } from '../schema.ts';

/** How the tenant is doing: counts of all its cases together, and of no person. */
export interface LiveCounts extends AnalyticsCounts {
  /** `snapshot`: the first; `delta`: something has changed. Each has the whole state. */
  type: 'snapshot' | 'delta';
  seq: number;
  tenant_id: number;
}

/** Milliseconds between pings. A connection on which nothing arrives for two of them is dead. */
const PING_EVERY = 25_000;
/** Milliseconds before each further attempt without counts; the last one counts for all that follow. */
const BACKOFF = [1000, 2000, 4000, 8000, 15_000];
/** Milliseconds before `expires_at` at which a connection is replaced. */
const RENEW_BEFORE = 60_000;

/**
 * The live counts, the newest last. It connects again when a connection ends or expires, and returns when the session has
 * ended, another user has signed in or `signal` aborts.
 *
 * @throws {DermagateError} for what no wait can change, such as `capability_required`, and for `live_unavailable`: this
 *   gateway has no live counts; read them every `problem.poll_after_seconds` instead.
 */
export async function* followCounts(
  negotiate: (signal: AbortSignal) => Promise<AnalyticsSubscription | 'ended'>,
  user: () => Promise<unknown>,
  { signal = new AbortController().signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<LiveCounts, void, void> {
  let failures = 0;
  let seq = -1;
  const follower = await user();
  const isSame = async () => !signal.aborted && (await user()) === follower;
  do {
    const subscription = await negotiate(signal).catch((reason: unknown) => {
      if (signal.aborted || isPassing(reason)) return undefined;
      throw reason;
    });
    if (subscription === 'ended' || !(await isSame())) return;
    let seqHere = -1;
    for await (const counts of subscription === undefined ? [] : countsOf(subscription, signal)) {
      failures = 0;
      // A message of an earlier state may overtake. The snapshot of a new connection was counted after those before it: a lower
      // one is of a database that was restored from a backup, and what follows continues from it.
      if (counts.seq < (counts.type === 'snapshot' ? seqHere : seq)) continue;
      ({ seq } = counts);
      seqHere = seq;
      if (!(await isSame())) return;
      yield counts;
    }
    await pause(BACKOFF[Math.min(failures, BACKOFF.length - 1)] ?? 0, signal);
    failures += 1;
  } while (await isSame());
}

/** The counts that arrive on one connection, until it ends, is dead or is to be replaced. */
async function* countsOf(
  { url, protocol, expires_at: expiresAt }: AnalyticsSubscription,
  signal: AbortSignal,
): AsyncGenerator<LiveCounts, void, void> {
  const socket = new WebSocket(url, protocol);
  const arrived: LiveCounts[] = [];
  let isAlive = true;
  let wake = () => {};
  const end = () => {
    socket.close();
    wake();
  };
  socket.addEventListener('message', (event) => {
    isAlive = true;
    const frame = JSON.parse(String((event as Event & { data: unknown }).data)) as Frame;
    if (frame.type === 'message') arrived.push(frame.data);
    wake();
  });
  socket.addEventListener('close', end);
  signal.addEventListener('abort', end);
  const renewal = setTimeout(end, Math.max(PING_EVERY, Date.parse(expiresAt) - Date.now() - RENEW_BEFORE));
  const pings = setInterval(() => {
    if (!isAlive) end();
    isAlive = false;
    if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
  }, PING_EVERY);
  try {
    while (socket.readyState < WebSocket.CLOSING || arrived.length > 0) {
      const counts = arrived.shift();
      if (counts === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else yield counts;
    }
  } finally {
    clearTimeout(renewal);
    clearInterval(pings);
    signal.removeEventListener('abort', end);
    end();
  }
}

interface Frame {
  type: string;
  data: LiveCounts;
}

/** Whether it may be over after a wait. Without live counts at all, an app reads its lists instead. */
function isPassing(reason: unknown): boolean {
  if (!(reason instanceof DermagateError) || reason.code === 'live_unavailable') return false;
  return reason.status === undefined || reason.status === 429 || reason.status >= 500;
}
