import { describeError, type Log, type LogFields } from '../telemetry/log.ts';

/** Runs one step; if it fails, logs that with `about` and goes on. */
export type Attempt = (about: LogFields, step: () => Promise<void>) => Promise<void>;

/**
 * For a timer's work of independent steps, such as tenant after tenant: a step that fails holds up none after it, and the run
 * fails all the same, so that its alert fires.
 *
 * @throws the error of the first step that failed, when `work` has ended.
 */
export async function independentSteps<T>(log: Log, work: (attempt: Attempt) => Promise<T>): Promise<T> {
  const failures: unknown[] = [];
  const result = await work(async (about, step) => {
    try {
      await step();
    } catch (error) {
      failures.push(error);
      log.error('timer_step_failed', { ...about, ...describeError(error) });
    }
  });
  if (failures.length > 0) throw failures[0];
  return result;
}
