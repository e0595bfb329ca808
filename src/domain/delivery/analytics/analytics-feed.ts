import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '../../../contract/clock.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';
import type { LiveFeed } from '../../../lib/live/live-feed.ts';
import { type Hub, tokenMinutes } from '../../../lib/live/web-pubsub.ts';
import { describeError, type Log } from '../../../lib/telemetry/log.ts';
import { pause as pauseFor } from '../../../lib/concurrency/pause.ts';
import { recordSent } from './analytics.queries.ts';
import { nextMessage, snapshot } from './publication.ts';

export interface AnalyticsOptions {
  db: Db;
  hub: Hub;
  clock: Clock;
  log: Log;
  /** Milliseconds between two messages of a tenant, at least. */
  everyMs?: number;
}

/** An event is written before its transaction commits. */
const settleMs = 300;
/** A client that has not connected for so long after it was invited gets no snapshot. */
const greetForMs = 30_000;
/** The host grants five seconds for the whole shutdown. */
const closeWithinMs = 1000;
const hourMs = 3_600_000;
const tokenMs = tokenMinutes * 60_000;
/** Clocks of instances differ by less. */
const skewMs = 60_000;

/**
 * The group of the clients whose tokens end within one hour. Web PubSub leaves a connection open when its token has ended, also
 * when the session of its user has: nothing is sent to a group whose tokens have all ended.
 */
const groupOf = (tenantId: number, hour: number) => `tenant-${tenantId}-${hour}`;

const hourOf = (at: number) => Math.floor(at / hourMs);

/** The groups of the clients whose tokens are valid at `now`. */
function groupsAt(tenantId: number, now: number): string[] {
  const first = hourOf(now);
  const last = hourOf(now + tokenMs + skewMs);
  return Array.from({ length: last - first + 1 }, (_, n) => groupOf(tenantId, first + n));
}

/**
 * Live counts of the tenants that somebody watches. Each instance publishes what its own requests have changed; a row of the
 * tenant decides between them, so that messages keep their distance and their order. Nothing is stored for them: a message
 * that is lost is made up for by the next one, which has the whole state.
 */
export function createAnalyticsFeed({ db, hub, clock, log, everyMs = 2000 }: AnalyticsOptions): LiveFeed {
  /** Until when each tenant is looked at, in milliseconds of `performance`. */
  const stirred = new Map<number, number>();
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  const { signal } = closing;

  const pause = (ms: number) => pauseFor(ms, signal);

  /** Runs in the background, to its end or until the feed closes. */
  function background(work: () => Promise<void>): void {
    const run = work().catch((error: unknown) => {
      if (!signal.aborted) log.warn('analytics_unpublished', describeError(error));
    });
    running.add(run);
    void run.then(() => running.delete(run));
  }

  async function publish(tenantId: number): Promise<boolean> {
    const now = clock.now();
    const next = await inTenant(db, tenantId, (tx) => nextMessage(tx, tenantId, { now, everyMs }));
    if (next === undefined) return false;
    const { message, fingerprint } = next;
    await Promise.all(groupsAt(tenantId, now.getTime()).map((group) => hub.sendToGroup(group, message)));
    await inTenant(db, tenantId, (tx) => recordSent(tx, tenantId, { seq: message.seq, fingerprint }));
    return true;
  }

  /** Looks at once and again after the distance between messages, for as long as something happens. */
  async function watch(tenantId: number): Promise<void> {
    try {
      await pause(settleMs);
      do {
        await publish(tenantId);
        await pause(everyMs + 50);
      } while (performance.now() < (stirred.get(tenantId) ?? 0));
    } finally {
      stirred.delete(tenantId);
    }
  }

  /** A hub or a database that fails is asked again: without the snapshot a client has nothing until something changes. */
  async function greet(tenantId: number, user: string): Promise<void> {
    const end = performance.now() + greetForMs;
    for (;;) {
      try {
        if (await hub.isConnected(user)) {
          const message = await inTenant(db, tenantId, (tx) => snapshot(tx, tenantId, clock.now()));
          return await hub.sendToUser(user, message);
        }
      } catch (error) {
        if (performance.now() > end) throw error;
      }
      if (performance.now() > end) return;
      await pause(settleMs);
    }
  }

  return {
    async invite(tenantId, now) {
      const user = uuidv7();
      const group = groupOf(tenantId, hourOf(now.getTime() + tokenMs));
      const { url, expiresAt } = await hub.invite({ group, user }, now);
      background(() => greet(tenantId, user));
      return { url, hub: hub.name, group, expiresAt };
    },
    stir(tenantId) {
      if (signal.aborted) return;
      const isWatched = stirred.has(tenantId);
      stirred.set(tenantId, performance.now() + settleMs + 1.2 * everyMs);
      if (!isWatched) background(() => watch(tenantId));
    },
    async publishAll() {
      let sent = 0;
      await forEachTenant(db, async (tenant) => {
        try {
          if (await publish(tenant)) sent += 1;
        } catch (error) {
          log.warn('analytics_unpublished', { tenant, ...describeError(error) });
        }
      });
      return sent;
    },
    async close() {
      closing.abort();
      await Promise.race([Promise.allSettled(running), pauseFor(closeWithinMs)]);
    },
  };
}
