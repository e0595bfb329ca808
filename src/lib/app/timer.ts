import type { TimerHandler } from '@azure/functions';
import type { AppContext } from './context.ts';
import { createLog, describeError, type LogFields } from '../telemetry/log.ts';

/** A scheduled job as a value, like an endpoint. */
export interface Timer {
  /** Name of the Azure function. */
  name: string;
  /** NCRONTAB with seconds, in UTC: `0 * * * * *` is every minute. The host runs it on one instance at a time. */
  schedule: string;
  summary: string;
  /** @returns counts of the work done, for the log line. */
  run(context: AppContext): Promise<LogFields>;
}

export function timer(definition: Timer): Timer {
  return definition;
}

/** The timer as a function of the host: it logs counts and failures and never rejects, because the next run retries. */
export function serveTimer({ name, run }: Timer, context: AppContext): TimerHandler {
  return async (_timer, invocation) => {
    const started = performance.now();
    const log = createLog(
      (level, line) => invocation[level === 'info' ? 'log' : level](line),
      context.config.LOG_LEVEL,
      { function: name },
    );
    const ms = () => Math.round(performance.now() - started);
    try {
      const counts = await run({ ...context, log });
      log.info('timer', { ms: ms(), ...counts });
    } catch (error) {
      log.error('timer_failed', { ms: ms(), ...describeError(error) });
    }
  };
}
