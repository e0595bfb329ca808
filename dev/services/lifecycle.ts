// Shared by the long-running commands: cleanup in reverse order, signals, and readable errors.
import { dieWithParent } from './die-with-parent.ts';

export type Lifecycle = {
  /** Registers a cleanup step for the end; steps run in reverse order. */
  undo: (step: () => Promise<void> | void) => void;
  /** Cleans up and exits with `code`; 0 means success. */
  end: (code: number) => Promise<void>;
  /** Prints `reason` to standard error, cleans up and exits with code 1. */
  fail: (reason: string) => Promise<void>;
};

/** Under npm one Ctrl-C arrives twice; only a later signal means "immediately". */
const IMPATIENT_AFTER_MS = 1000;
/** Longer than any step may take (a service 10 s, the app 30 s and 2 × 5 s); the reaper ends what is still running. */
const STOP_WITHIN_MS = 60_000;

/**
 * Runs `main`, which starts services and returns while they run. The process cleans up and exits on Ctrl-C, SIGTERM and
 * SIGHUP, when its runner is killed, and when `main` throws; a second Ctrl-C ends it immediately.
 */
export async function run(main: (life: Lifecycle) => Promise<void>): Promise<void> {
  const steps: (() => Promise<void> | void)[] = [];
  let stoppingSince: number | undefined;

  async function end(code: number): Promise<void> {
    if (stoppingSince !== undefined) return;
    stoppingSince = Date.now();
    setTimeout(() => {
      console.error(`Not stopped after ${STOP_WITHIN_MS / 1000} s; exiting now.`);
      process.exit(1);
    }, STOP_WITHIN_MS).unref();
    for (const step of steps.toReversed()) {
      try {
        await step();
      } catch (error) {
        console.error(`While stopping: ${(error as Error).message}`);
      }
    }
    process.exit(code);
  }
  const life: Lifecycle = {
    undo: (step) => void steps.push(step),
    end,
    async fail(reason) {
      if (stoppingSince === undefined) console.error(`\n${reason}\n`);
      await end(1);
    },
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stoppingSince === undefined) {
        console.log('\nStopping …');
        void end(0);
      } else if (Date.now() - stoppingSince > IMPATIENT_AFTER_MS) process.exit(130);
    });
  }
  dieWithParent(() => void life.fail('The parent process has ended; stopping.'));
  try {
    await main(life);
  } catch (error) {
    await life.fail(explain(error));
  }
}

/** A stack helps only with bugs of ours; other errors have messages written for the developer. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (['TypeError', 'ReferenceError', 'RangeError'].includes(error.name)) return error.stack ?? error.message;
  // The message includes the app's stack when it did not load; a wrong configuration needs none.
  return error.message.includes('ConfigError: ')
    ? error.message.replaceAll(/\n {4}at .*/g, '')
    : error.message;
}
