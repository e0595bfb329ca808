import type { HttpResponseInit, InvocationContext } from '@azure/functions';
import type { Config } from '../configuration/config.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import type { RequestMetrics } from '../telemetry/request-metrics.ts';

/** A log that writes through the invocation, so that the host links the lines to it, and adds the request id. */
export function requestLog({ LOG_LEVEL }: Config, invocation: InvocationContext, requestId: string): Log {
  return createLog((level, line) => invocation[level === 'info' ? 'log' : level](line), LOG_LEVEL, {
    requestId,
  });
}

export interface AnsweredRequest {
  /** Name of the function. */
  function: string;
  response: HttpResponseInit;
  /** `performance.now()` at the start of the request. */
  started: number;
  /** UUID of the caller. */
  user?: string | undefined;
  tenant?: number | undefined;
  /** Code of the problem in the reply. */
  code?: string | undefined;
}

/** Writes the one log line of every request and records its metrics. */
export function logRequest(
  log: Log,
  metrics: RequestMetrics,
  { response, started, ...facts }: AnsweredRequest,
): void {
  const status = response.status ?? 200;
  const ms = Math.round((performance.now() - started) * 10) / 10;
  metrics.answered(facts.function, status, facts.code, ms);
  log[status >= 500 ? 'error' : 'info']('request', { ...facts, status, ms });
}
