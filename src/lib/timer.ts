import type { TimerHandler } from '@azure/functions';
import type { Context } from './context.ts';
import { createLog, describeError, type LogFields } from './log.ts';

/** Work by the clock: a value that describes, as an endpoint is. `main.ts` registers it. */
export interface Timer {
  /** Function name. */
  name: string;
  /** NCRONTAB with seconds, in UTC: `0 * * * * *` is every minute. One instance runs it at a time. */
  schedule: string;
  summary: string;
  /** @returns what was done, as counts for the log line. */
  run(context: Context): Promise<LogFields>;
}

export function timer(definition: Timer): Timer {
  return definition;
}

/** The way from a timer to the host: caught, because the next run tries again anyway, and logged with its counts. */
export function serveTimer({ name, run }: Timer, context: Context): TimerHandler {
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
