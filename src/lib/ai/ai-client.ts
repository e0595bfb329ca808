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
import type { Log } from '../log.ts';
import type { AiCall } from './ai-call.ts';
import { AiFailure } from './ai-failure.ts';
import { type AiOutcome, aiMetrics } from './ai-metrics.ts';
import { createAiTransport } from './ai-transport.ts';
import { pauseWithin } from './deadline.ts';
import type { AiBody } from './encode-body.ts';

export interface AiClient {
  /**
   * Calls one route of the AI service: at most one retry inside the deadline, behind a circuit breaker and a bound
   * on calls in flight, both of that route alone: a dead image model must not take the red flags with it.
   *
   * @returns the reply, checked against `reply`: one that does not fit is never passed on.
   * @throws {AiFailure}
   */
  post<T>(route: string, body: AiBody, reply: z.ZodType<T>, call: AiCall): Promise<T>;
  /** Whether a route is being spared after failures; for tests and health pages. */
  breakerState(route: string): 'closed' | 'open' | 'half_open';
  close(): Promise<void>;
}

export interface AiClientOptions {
  url: string;
  key?: string | undefined;
  log: Log;
  /** Calls of one route under way at once; one more is refused. */
  maxInFlight?: number;
  /** Milliseconds after which a broken route gets one call to prove itself. */
  breakerPauseMs?: number;
}

interface Guard {
  slots: BulkheadPolicy;
  breaker: CircuitBreakerPolicy;
}

export function createAiClient({ url, key, log, ...options }: AiClientOptions): AiClient {
  const breakerPauseMs = options.breakerPauseMs ?? 5000;
  const maxInFlight = options.maxInFlight ?? 48;
  const transport = createAiTransport({ url, key, connections: maxInFlight });
  const guards = new Map<string, Guard>();

  function guardOf(route: string): Guard {
    const known = guards.get(route);
    if (known !== undefined) return known;
    const guard = { slots: bulkhead(maxInFlight), breaker: createBreaker(route) };
    guards.set(route, guard);
    return guard;
  }

  function createBreaker(route: string): CircuitBreakerPolicy {
    const breaker: CircuitBreakerPolicy = circuitBreaker(handleWhen(counts), {
      halfOpenAfter: breakerPauseMs,
      breaker: new CountBreaker({ size: 20, threshold: 0.5, minimumNumberOfCalls: 5 }),
    });
    // Only what says something about the service counts: the odd input of one user must not open the breaker for
    // all others. A probe that was called off has proved nothing, so the route stays broken.
    function counts(error: Error): boolean {
      if (!(error instanceof AiFailure)) return false;
      return error.cancelled ? breaker.state === CircuitState.HalfOpen : error.kind !== 'invalid_reply';
    }
    let isBroken = false;
    breaker.onBreak(() => {
      // Said once, not again for every probe that fails.
      if (isBroken) return;
      isBroken = true;
      log.error('ai_breaker_opened', { route });
      aiMetrics.breakerChanged(route, true);
    });
    breaker.onReset(() => {
      isBroken = false;
      log.info('ai_breaker_closed', { route });
      aiMetrics.breakerChanged(route, false);
    });
    return breaker;
  }

  async function tryTwice<T>(route: string, body: AiBody, reply: z.ZodType<T>, call: AiCall): Promise<T> {
    let outcome = await transport.attempt(route, body, call);
    if ('failure' in outcome && outcome.retry) {
      // At a random moment, so that a recovering service is not met by everyone at once.
      await pauseWithin(call.deadline, 50 + Math.random() * 200);
      if (!call.deadline.signal.aborted) {
        aiMetrics.retried(route);
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
    // While one call probes a broken route the others are answered at once instead of waiting for its outcome.
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return await breaker.execute(() => tryTwice(route, body, reply, call));
  }

  return {
    async post(route, body, reply, call) {
      const started = performance.now();
      let outcome: AiOutcome = 'ok';
      aiMetrics.started(route);
      try {
        return await guardOf(route).slots.execute(() => guarded(route, body, reply, call));
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
        aiMetrics.ended(route);
        aiMetrics.called(route, outcome, performance.now() - started);
      }
    },
    breakerState: (route) => stateNames[guards.get(route)?.breaker.state ?? CircuitState.Closed],
    close: () => transport.close(),
  };
}

/** Not worth a line each: they follow from something that has been said. */
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

/** For the log: what went wrong in a word or two, nothing of what the upstream said. */
function causeOf(thrown: unknown): string | undefined {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (!(cause instanceof Error)) return undefined;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message.slice(0, 200);
}
