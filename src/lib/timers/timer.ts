import type { AppContext } from '../app/context.ts';
import { createLog, describeError, type Log, type LogFields, type LogLevel } from '../telemetry/log.ts';
import { withinMs } from '../concurrency/within-ms.ts';
import type { Schedule } from './schedule.ts';

/** A scheduled job as a value, like an endpoint. */
export interface Timer {
  name: string;
  schedule: Schedule;
  summary: string;
  /** After so long a run counts as hung, and the next may begin beside it. Default: five minutes. */
  deadlineMs?: number;
  /** @returns counts of the work done, for the log line. Two runs at once must be safe: a hung one is not ended. */
  run(context: AppContext): Promise<LogFields>;
}

const usualDeadlineMs = 5 * 60_000;

export function timer(definition: Timer): Timer {
  return definition;
}

/** What came of a run. */
export interface Outcome {
  outcome: 'done' | 'failed' | 'timed_out';
  /** The kind of the error; never its message, which may name people. */
  error?: string | undefined;
}

/** Runs a timer once, and logs counts or failure. It never rejects, because the next run retries. */
export async function runTimer(
  { name, run, deadlineMs = usualDeadlineMs }: Timer,
  context: AppContext,
  write: (level: LogLevel, line: string) => void,
): Promise<Outcome> {
  const started = performance.now();
  const log: Log = createLog(write, context.config.LOG_LEVEL, { function: name });
  const ms = () => Math.round(performance.now() - started);
  try {
    const counts = await withinMs(deadlineMs, () => run({ ...context, log }));
    log.info('timer', { ms: ms(), ...counts });
    return { outcome: 'done' };
  } catch (error) {
    const fields = describeError(error);
    log.error('timer_failed', { ms: ms(), ...fields });
    const hung = error instanceof DOMException && error.name === 'TimeoutError' && ms() >= deadlineMs;
    return { outcome: hung ? 'timed_out' : 'failed', error: String(fields['error']) };
  }
}
