import type { Clock } from '../../contract/clock.ts';
import type { Notice } from '../../contract/notice.ts';
import { describeError, type Log } from '../telemetry/log.ts';

/** After which id one user is to be read. */
export interface Asked {
  tenantId: number;
  userId: number;
  after: number;
}

export interface StreamOptions {
  /** Reads for all of them in one query: of each user the notices after the given id, the oldest first; not necessarily all. */
  read(asked: readonly Asked[], now: Date): Promise<Notice[]>;
  clock: Clock;
  log: Log;
  /** Requests that this instance holds at a time. */
  maxHeld: number;
  /** Milliseconds for which a request is held. */
  holdMs: number;
  /** Milliseconds between two reads. */
  pollMs: number;
  /** Milliseconds without a request after which nothing is read any more; longer than clients take to return. */
  idleMs?: number;
}

/** One request for what comes after `after`. */
export interface Wait {
  tenantId: number;
  userId: number;
  /** Requests with the same one are counted together. */
  session: string;
  after: number;
  /** Of the notices of the user, those that this request is told. */
  isFor(notice: Notice): boolean;
}

/**
 * - `notices`: there are some
 * - `ended`: the request was held, and nothing came
 * - `full`: nothing is there, and the instance holds as many requests as it may
 * - `too_many`: the session has three requests held; `retryAfterMs` until the oldest of them ends
 */
export type Waited =
  | { outcome: 'notices'; notices: readonly Notice[] }
  | { outcome: 'ended' | 'full' }
  | { outcome: 'too_many'; retryAfterMs: number };

export interface Streams {
  wait(request: Wait): Promise<Waited>;
  /** Requests held now. */
  heldCount(): number;
  /** Ends every held request. */
  close(): void;
}

/** Held requests of one session. */
const maxOfSession = 3;
/** A user who has not asked for so long is no longer read for; clients return within seconds. */
const rememberedMs = 60_000;
/** Notices that are remembered of a user; a request for older ones reads them again. */
const maxRemembered = 200;

interface User {
  tenantId: number;
  /** All notices after this id and up to `upTo` are in `notices`. */
  from: number;
  upTo: number;
  notices: Notice[];
  /** False until the first read after `from` has moved back. */
  isRead: boolean;
  seenAt: number;
}

interface Held extends Wait {
  endsAt: number;
  end(waited: Waited): void;
}

/**
 * Long polls of many clients on one instance, fed by one query for all of them every `pollMs`, and none while there is no
 * client. A request for a user who is not known yet is read for with the next query, which then starts sooner.
 */
export function createStreams(options: StreamOptions): Streams {
  const { clock, log, maxHeld, holdMs, pollMs, idleMs = 12_000 } = options;
  /** The least time between two reads, however many users are new: those who come within it share one. */
  const gatherMs = pollMs / 8;
  const users = new Map<number, User>();
  const held = new Set<Held>();
  /** The read that has been arranged and has not begun. */
  let next:
    | { dueAt: number; timer: NodeJS.Timeout; begin(): void; done: PromiseWithResolvers<void> }
    | undefined;
  /** Reads follow each other. */
  let last: Promise<void> = Promise.resolve();
  let lastReadAt = -Infinity;
  let lastSeenAt = -Infinity;
  let isClosed = false;

  /** The next read, which begins in `delayMs` at the latest. */
  function readWithin(delayMs: number): Promise<void> {
    const dueAt = performance.now() + delayMs;
    if (next === undefined) {
      const done = Promise.withResolvers<void>();
      // A request that waits for it sees a failure; polling goes on without one.
      done.promise.catch(() => undefined);
      const begin = () => {
        next = undefined;
        last = last.catch(() => undefined).then(readAll);
        done.resolve(last);
      };
      next = { dueAt, timer: startTimer(delayMs, begin), begin, done };
    } else if (dueAt < next.dueAt) {
      clearTimeout(next.timer);
      next = { ...next, dueAt, timer: startTimer(delayMs, next.begin) };
    }
    return next.done.promise;
  }

  async function readAll(): Promise<void> {
    lastReadAt = performance.now();
    try {
      forgetUnseen();
      const asked = [...users];
      const found = await read(asked);
      // One that a request has moved back meanwhile is another object now, and is read with the next query.
      for (const [userId, user] of asked.filter(([id, each]) => users.get(id) === each)) {
        remember(user, found.get(userId) ?? []);
      }
      distribute();
    } catch (error) {
      log.warn('notices_unread', describeError(error));
      throw error;
    } finally {
      if (!isActive()) users.clear();
      else void readWithin(pollMs);
    }
  }

  async function read(asked: readonly [number, User][]): Promise<Map<number, Notice[]>> {
    if (asked.length === 0) return new Map();
    const list = asked.map(([userId, { tenantId, upTo }]) => ({ tenantId, userId, after: upTo }));
    return Map.groupBy(await options.read(list, clock.now()), ({ userId }) => userId);
  }

  const isActive = () => !isClosed && (held.size > 0 || performance.now() - lastSeenAt < idleMs);

  function forgetUnseen(): void {
    const waiting = new Set([...held].map(({ userId }) => userId));
    for (const [userId, { seenAt }] of users) {
      if (!waiting.has(userId) && performance.now() - seenAt > rememberedMs) users.delete(userId);
    }
  }

  function remember(user: User, notices: readonly Notice[]): void {
    user.isRead = true;
    user.notices.push(...notices);
    user.upTo = notices.at(-1)?.id ?? user.upTo;
    const dropped = user.notices.splice(0, Math.max(0, user.notices.length - maxRemembered));
    user.from = dropped.at(-1)?.id ?? user.from;
  }

  function distribute(): void {
    for (const request of held) {
      const notices = noticesFor(request);
      if (notices.length > 0) request.end({ outcome: 'notices', notices });
    }
  }

  const noticesFor = ({ userId, after, isFor }: Wait): Notice[] =>
    (users.get(userId)?.notices ?? []).filter((notice) => notice.id > after && isFor(notice));

  /** Whether all that the request may be told has been read, up to the last query. */
  function isRead({ tenantId, userId, after }: Wait): boolean {
    const seenAt = performance.now();
    const user = users.get(userId);
    if (user !== undefined && user.from <= after) {
      user.seenAt = seenAt;
      return user.isRead;
    }
    users.set(userId, { tenantId, from: after, upTo: after, notices: [], isRead: false, seenAt });
    return false;
  }

  function hold(request: Wait): Promise<Waited> {
    const { promise, resolve } = Promise.withResolvers<Waited>();
    const timer = startTimer(holdMs, () => end({ outcome: 'ended' }));
    const entry = { ...request, endsAt: performance.now() + holdMs, end };
    function end(waited: Waited): void {
      clearTimeout(timer);
      held.delete(entry);
      resolve(waited);
    }
    held.add(entry);
    return promise;
  }

  /** Undefined while the session may have another request held. */
  function tooMany({ session }: Wait): Waited | undefined {
    const own = [...held].filter((each) => each.session === session);
    if (own.length < maxOfSession) return undefined;
    const first = Math.min(...own.map(({ endsAt }) => endsAt));
    return { outcome: 'too_many', retryAfterMs: Math.max(0, first - performance.now()) };
  }

  return {
    async wait(request) {
      const refused = tooMany(request);
      if (refused !== undefined) return refused;
      lastSeenAt = performance.now();
      if (!isRead(request)) await readWithin(Math.max(0, lastReadAt + gatherMs - performance.now()));
      const notices = noticesFor(request);
      if (notices.length > 0) return { outcome: 'notices', notices };
      if (held.size >= maxHeld || isClosed) return { outcome: 'full' };
      return tooMany(request) ?? (await hold(request));
    },
    heldCount: () => held.size,
    close() {
      isClosed = true;
      clearTimeout(next?.timer);
      next?.done.resolve();
      for (const request of held) request.end({ outcome: 'ended' });
    },
  };
}

const startTimer = (ms: number, run: () => void): NodeJS.Timeout => setTimeout(run, ms).unref();
