import { type Clock, systemClock } from '../../contract/clock.ts';
import type { Db } from '../db/connect.ts';
import { inTenant } from '../db/tenant.ts';
import { describeError, errorCode, type Log, type LogFields } from '../telemetry/log.ts';
import { pause } from '../concurrency/pause.ts';
import { createOutboxMetrics, type OutboxMetrics } from '../telemetry/resource-metrics.ts';
import {
  backoffSeconds,
  buryMessage,
  claimMessages,
  claimSeconds,
  countDue,
  deferMessage,
  findAbandoned,
  maximumAttempts,
  postponeMessage,
  removeMessage,
  returnMessage,
} from './claims.ts';
import type { Consumer } from './enqueue.ts';
import { ClaimLost, type ConsumerWork, NotYet, type OutboxMessage, Undeliverable } from './message.ts';

export interface Drained {
  delivered: number;
  /** Attempts that failed and will be retried. */
  failed: number;
  dead: number;
}

export interface Outbox {
  /**
   * Starts the delivery of just committed messages within a second, or of those that are due in `seconds`. Returns at once
   * and never throws.
   */
  kick(seconds?: number): void;
  /**
   * Delivers due messages until none are left or 100 s have passed.
   * @throws when the database is unreachable.
   */
  drain(): Promise<Drained>;
  /** Stops starting deliveries and waits for the running ones, 3.5 s at most. */
  close(): Promise<void>;
}

export interface OutboxOptions {
  db: Db;
  log: Log;
  clock?: Clock;
  consumers: Partial<Record<Consumer, ConsumerWork>>;
  /** By default nothing is recorded. */
  metrics?: OutboxMetrics;
}

const batchSize = 20;
/** Concurrent deliveries of one worker. */
const parallel = 5;
/** A delivery that starts later than this in its claim could outlast it. A mail takes 15 s at most (mail/mailer.ts). */
const beginWithinMs = 40_000;
const drainForMs = 100_000;
/**
 * Range of a kick's random delay. By then the reply has left, so that the duration of the work, which depends on whether
 * an account exists, does not show in the timing of this or the next requests.
 */
const kickDelayMs = { least: 200, most: 800 };
/** The host grants five seconds for the whole shutdown. */
const closeWithinMs = 3500;

/** A worker for `outbox_messages`. Any number of workers may run concurrently, in one process or in many. */
export function createOutbox({
  db,
  log,
  clock = systemClock,
  consumers,
  metrics = createOutboxMetrics(),
}: OutboxOptions): Outbox {
  const names = Object.keys(consumers) as Consumer[];
  const running = new Set<Promise<unknown>>();
  const closing = new AbortController();
  let kicked = false;

  async function drain(): Promise<Drained> {
    const end = performance.now() + drainForMs;
    const total: Drained = { delivered: 0, failed: 0, dead: 0 };
    await allOf(names.map((name) => drainConsumer(name, workOf(name), end, total)));
    return total;
  }

  function workOf(consumer: Consumer): ConsumerWork {
    const found = consumers[consumer];
    if (found === undefined) throw new Error(`this worker does not serve ${consumer}`);
    return found;
  }

  async function drainConsumer(
    consumer: Consumer,
    { topics, deliverySeconds = 0 }: ConsumerWork,
    end: number,
    total: Drained,
  ): Promise<void> {
    for (const message of await findAbandoned(db, consumer, clock.now())) {
      if (await giveUp(message, 'worker_lost')) total.dead++;
    }
    await measureBacklog(consumer);
    const seconds = Math.max(claimSeconds, beginWithinMs / 1000 + deliverySeconds);
    let hasWorked = false;
    while (performance.now() < end && !closing.signal.aborted) {
      const batch = await claimMessages(db, consumer, batchSize, topics, clock.now(), seconds);
      if (batch.length === 0) break;
      hasWorked = true;
      await work(batch, total);
    }
    // The value is reported every minute until the next run, which may be long in coming on this instance.
    if (hasWorked && !closing.signal.aborted) await measureBacklog(consumer);
  }

  async function measureBacklog(consumer: Consumer): Promise<void> {
    metrics.backlog(consumer, await countDue(db, consumer, clock.now()));
  }

  /** Delivers a batch, `parallel` messages at a time, and releases those that cannot start in time. */
  async function work(batch: OutboxMessage[], total: Drained): Promise<void> {
    const beginUntil = performance.now() + beginWithinMs;
    const waiting = [...batch];
    async function lane(): Promise<void> {
      for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
        if (closing.signal.aborted || performance.now() > beginUntil) await returnMessage(db, message);
        else {
          const outcome = await attempt(message);
          // Their consumers may have ended their part of this run.
          if (workOf(message.consumer).leavesMessages === true) kick();
          if (outcome === undefined) continue;
          metrics.delivered(message.consumer, outcome);
          total[outcome]++;
        }
      }
    }
    await allOf(Array.from({ length: parallel }, lane));
  }

  /** @returns undefined for a message that is to wait. */
  async function attempt(message: OutboxMessage): Promise<keyof Drained | undefined> {
    try {
      await workOf(message.consumer).deliver(message);
    } catch (error) {
      if (error instanceof NotYet) {
        await deferMessage(db, message, error.until);
        kickIn((error.until.getTime() - clock.now().getTime()) / 1000);
        return undefined;
      }
      return await fail(message, error);
    }
    await removeMessage(db, message);
    return 'delivered';
  }

  async function fail(message: OutboxMessage, error: unknown): Promise<'failed' | 'dead'> {
    const code = errorCode(error) ?? 'unexpected';
    const facts = { message: message.id, topic: message.topic, attempt: message.attempt, code };
    const isFinal = error instanceof Undeliverable || message.attempt >= maximumAttempts;
    if (isFinal && (await giveUp(message, code, describeError(error)))) return 'dead';
    if (isFinal || error instanceof ClaimLost) {
      log.warn('outbox_claim_lost', facts);
      return 'failed';
    }
    const { retryAfterSeconds = backoffSeconds } = workOf(message.consumer);
    const seconds = Math.max(retryAfterSeconds(message.attempt, message.topic), askedSeconds(error));
    await postponeMessage(db, message, seconds, code, clock.now());
    log.warn('outbox_delivery_failed', { ...facts, ...describeError(error), againInSeconds: seconds });
    kickIn(seconds);
    return 'failed';
  }

  /** @returns false when another worker has claimed the message. */
  async function giveUp(message: OutboxMessage, code: string, about: LogFields = {}): Promise<boolean> {
    const { acceptFailure } = workOf(message.consumer);
    const facts = { message: message.id, topic: message.topic, attempt: message.attempt, code, ...about };
    let isSettled = false;
    const bury = async (within: Db) => await buryMessage(within, message, code, clock.now());
    const isOurs =
      acceptFailure === undefined || message.tenantId === undefined
        ? await bury(db)
        : await inTenant(db, message.tenantId, async (tx) => {
            if (!(await bury(tx))) return false;
            isSettled = await acceptFailure(tx, message, code);
            if (isSettled) await removeMessage(tx, message);
            return true;
          });
    if (isSettled) log.warn('outbox_message_given_up', facts);
    else if (isOurs) log.error('outbox_message_dead', facts);
    return isOurs;
  }

  /** Registers work in progress, so that close() can wait for it. */
  function tracked<T>(promise: Promise<T>): Promise<T> {
    running.add(promise);
    const forget = () => running.delete(promise);
    promise.then(forget, forget);
    return promise;
  }

  async function runKick(): Promise<void> {
    const { least, most } = kickDelayMs;
    try {
      await pause(least + Math.random() * (most - least), closing.signal);
    } catch {
      return; // closing: the timer of another instance delivers
    }
    // This run may miss rows committed from here on, so a further kick starts a run of its own.
    kicked = false;
    try {
      await drain();
    } catch (error) {
      log.warn('outbox_drain_failed', describeError(error));
    }
  }

  function kick(): void {
    if (kicked || closing.signal.aborted) return;
    kicked = true;
    void tracked(runKick());
  }

  /** For retries within the minute; the timer drives the others, and these on instances that end before. */
  function kickIn(seconds: number): void {
    if (seconds >= 60 || closing.signal.aborted) return;
    const turn = pause(seconds * 1000, closing.signal);
    void tracked(turn.then(kick, () => undefined));
  }

  return {
    kick: (seconds = 0) => (seconds > 0 ? kickIn(seconds) : kick()),
    drain: () => tracked(drain()),
    async close() {
      closing.abort();
      await Promise.race([Promise.allSettled(running), pause(closeWithinMs)]);
    },
  };
}

/** What a provider has asked for. */
function askedSeconds(error: unknown): number {
  const asked = error instanceof Error && 'retryAfterSeconds' in error ? error.retryAfterSeconds : 0;
  return typeof asked === 'number' ? asked : 0;
}

/** Waits for all promises, even after one has failed, then throws the first error. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
