import type { Tracer } from '@opentelemetry/api';
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  type BulkheadPolicy,
  bulkhead,
  CircuitState,
  type CircuitBreakerPolicy,
  circuitBreaker,
  CountBreaker,
  handleWhen,
} from 'cockatiel';
import type { z } from 'zod';
import type { Log } from '../telemetry/log.ts';
import type { AiCall } from './ai-call.ts';
import { AiFailure } from './ai-failure.ts';
import { type AiMetrics, type AiOutcome, createAiMetrics } from './ai-metrics.ts';
import { createAiTransport } from './ai-transport.ts';
import { type Deadline, deadlineIn, pauseWithin, timedOut } from './deadline.ts';
import type { AiBody } from './encode-body.ts';

export interface AiClient {
  /**
   * Calls one route of the AI service, with at most one retry inside the deadline. Each route has its own circuit
   * breaker and its own bound on calls in flight, so that a dead image model does not take the red flags down with it.
   *
   * @returns the reply, validated by `reply`; a reply that does not fit is never passed on.
   * @throws {AiFailure}
   */
  post<T>(route: string, body: AiBody, reply: z.ZodType<T>, call: AiCall): Promise<T>;
  /** State of the route's circuit breaker; for tests and health pages. */
  breakerState(route: string): 'closed' | 'open' | 'half_open';
  close(): Promise<void>;
}

export interface AiClientOptions {
  url: string;
  key?: string | undefined;
  log: Log;
  /** Calls of one route in flight at once, 48 by default; a further call fails with `busy`. */
  maxInFlight?: number;
  /** Milliseconds until an open breaker lets one probe through; 5000 by default. */
  breakerPauseMs?: number;
  /** Milliseconds that the service usually has for a call, retries included; 10,000 by default. */
  usualTimeMs?: number;
  /** By default nothing is recorded. */
  metrics?: AiMetrics;
  /** By default no span is recorded. */
  tracer?: Tracer;
}

/** A call that began with less time left, in milliseconds, proves nothing about the service when that runs out. */
const fairTimeMs = 1000;

interface Guard {
  slots: BulkheadPolicy;
  breaker: CircuitBreakerPolicy;
}

export function createAiClient({ url, key, log, ...options }: AiClientOptions): AiClient {
  const breakerPauseMs = options.breakerPauseMs ?? 5000;
  const maxInFlight = options.maxInFlight ?? 48;
  const usualTimeMs = options.usualTimeMs ?? 10_000;
  const leastTimeMs = Math.min(fairTimeMs, usualTimeMs / 2);
  const metrics = options.metrics ?? createAiMetrics();
  const transport = createAiTransport({ url, key, connections: maxInFlight, tracer: options.tracer });
  const guards = new Map<string, Guard>();

  function guardOf(route: string): Guard {
    const known = guards.get(route);
    if (known !== undefined) return known;
    const guard = { slots: bulkhead(maxInFlight), breaker: createBreaker(route) };
    guards.set(route, guard);
    return guard;
  }

  function createBreaker(route: string): CircuitBreakerPolicy {
    const breaker = circuitBreaker(handleWhen(provesTrouble), {
      halfOpenAfter: breakerPauseMs,
      breaker: new CountBreaker({ size: 20, threshold: 0.5, minimumNumberOfCalls: 5 }),
    });
    let isBroken = false;
    breaker.onBreak(() => {
      // Logged once, not again for every failed probe.
      if (isBroken) return;
      isBroken = true;
      log.error('ai_breaker_opened', { route });
      metrics.breakerChanged(route, true);
    });
    breaker.onReset(() => {
      isBroken = false;
      log.info('ai_breaker_closed', { route });
      metrics.breakerChanged(route, false);
    });
    return breaker;
  }

  /** Failures by a deadline that was too near when the call began. */
  const hurried = new WeakSet<AiFailure>();

  /** An invalid reply does not count: one user's unusual input must not open the breaker for everyone else. */
  function provesTrouble(error: unknown): boolean {
    if (!(error instanceof AiFailure) || error.cancelled) return false;
    return error.kind !== 'invalid_reply' && !hurried.has(error);
  }

  async function tryTwice<T>(route: string, body: AiBody, reply: z.ZodType<T>, call: AiCall): Promise<T> {
    let outcome = await transport.attempt(route, body, call);
    if ('failure' in outcome && outcome.retry) {
      // Jitter, so that clients do not hit a recovering service all at once.
      const pauseMs = 50 + Math.random() * 200;
      // Decided before the pause: after one that lasts until the deadline, the signal may abort a moment later.
      const hasTime = pauseMs < call.deadline.remainingMs();
      await pauseWithin(call.deadline, pauseMs);
      if (hasTime && !call.deadline.signal.aborted) {
        metrics.retried(route);
        outcome = await transport.attempt(route, body, call);
      }
    }
    if ('failure' in outcome) throw outcome.failure;
    const parsed = reply.safeParse(outcome.reply);
    if (parsed.success) return parsed.data;
    const paths = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`).slice(0, 5);
    throw new AiFailure('invalid_reply', route, { cause: new Error(paths.join(', ')) });
  }

  async function guarded<T>(route: string, body: AiBody, reply: z.ZodType<T>, call: AiCall): Promise<T> {
    const { breaker } = guardOf(route);
    // While one call probes the route, the others fail at once; cockatiel lets them wait for its outcome (4.0 still does).
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return await breaker.execute(async () => {
      const remainingMs = call.deadline.remainingMs();
      const isFair = remainingMs >= leastTimeMs;
      if (breaker.state === CircuitState.HalfOpen) {
        // Its outcome decides for all callers, so it goes on when its own caller has left.
        const deadline = deadlineIn(isFair ? remainingMs : usualTimeMs);
        return await tryTwice(route, body, reply, { ...call, deadline });
      }
      try {
        return await tryTwice(route, body, reply, call);
      } catch (error) {
        if (!isFair && error instanceof AiFailure && error.kind === 'timeout') hurried.add(error);
        throw error;
      }
    });
  }

  return {
    async post(route, body, reply, call) {
      const started = performance.now();
      let outcome: AiOutcome = 'ok';
      metrics.started(route);
      try {
        const { slots, breaker } = guardOf(route);
        const mayProbe = breaker.state === CircuitState.Open;
        const work = slots.execute(() => guarded(route, body, reply, call));
        return await (mayProbe ? unlessEnded(work, call.deadline, route) : work);
      } catch (error) {
        const seen = toFailure(error, route, breakerPauseMs);
        outcome = seen.outcome;
        if (!silent.has(outcome))
          log.warn('ai_call_failed', {
            requestId: call.requestId,
            route,
            outcome,
            cause: causeOf(seen.thrown),
          });
        throw seen.thrown;
      } finally {
        metrics.ended(route);
        metrics.called(route, outcome, performance.now() - started);
      }
    },
    breakerState: (route) => stateNames[guards.get(route)?.breaker.state ?? CircuitState.Closed],
    close: () => transport.close(),
  };
}

/** The outcome of `work`, or at the deadline a failure while `work` goes on. */
async function unlessEnded<T>(work: Promise<T>, deadline: Deadline, route: string): Promise<T> {
  const { signal } = deadline;
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = () =>
    reject(new AiFailure('timeout', route, { cause: signal.reason, cancelled: !timedOut(deadline) }));
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Outcomes without a log line: each follows from an event that was already logged. */
const silent = new Set<AiOutcome>(['busy', 'cancelled', 'breaker_open']);

const stateNames = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
} as const;

function toFailure(
  error: unknown,
  route: string,
  breakerPauseMs: number,
): { thrown: unknown; outcome: AiOutcome } {
  if (error instanceof BulkheadRejectedError) {
    return { thrown: new AiFailure('busy', route, { cause: error, retryAfterSeconds: 2 }), outcome: 'busy' };
  }
  if (error instanceof BrokenCircuitError) {
    const retryAfterSeconds = Math.ceil(breakerPauseMs / 1000);
    const thrown = new AiFailure('unavailable', route, { cause: error, retryAfterSeconds });
    return { thrown, outcome: 'breaker_open' };
  }
  if (!(error instanceof AiFailure)) return { thrown: error, outcome: 'unavailable' };
  return { thrown: error, outcome: error.cancelled ? 'cancelled' : error.kind };
}

/** The error code, or our own message, for the log; never text from the AI service's reply. */
function causeOf(thrown: unknown): string | undefined {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (!(cause instanceof Error)) return undefined;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message.slice(0, 200);
}
