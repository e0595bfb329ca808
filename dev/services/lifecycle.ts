// What the long-running commands share: things to undo in reverse order, signals, and plain last words.
import { dieWithParent } from './die-with-parent.ts';

export type Lifecycle = {
  /** Registers what must be undone at the end; undone in reverse order. */
  undo: (step: () => Promise<void> | void) => void;
  /** Ends the process in order: 0 when what was to be done is done. */
  end: (code: number) => Promise<void>;
  /** Ends the process in order with `reason` on standard error, as after a failure. */
  fail: (reason: string) => Promise<void>;
};

/** Node sends a Ctrl-C on twice when npm passes its own on; only a later one means "at once". */
const IMPATIENT_AFTER_MS = 1000;
/** Longer than every step may take (a service 10 s, the app 30 s and 2 × 5 s); what is left then, the reaper ends. */
const STOP_WITHIN_MS = 60_000;

/**
 * Runs `main`, which starts things and returns while they run. The process ends in order on Ctrl-C, SIGTERM and
 * SIGHUP, when its runner is killed, and when `main` throws; a second Ctrl-C ends it at once.
 */
export async function run(main: (life: Lifecycle) => Promise<void>): Promise<void> {
  const steps: (() => Promise<void> | void)[] = [];
  let stoppingSince: number | undefined;

  async function end(code: number): Promise<void> {
    if (stoppingSince !== undefined) return;
    stoppingSince = Date.now();
    setTimeout(() => {
      console.error(`Not stopped after ${STOP_WITHIN_MS / 1000} s; ending all at once.`);
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
  dieWithParent(() => void life.fail('The command that started this is gone; stopping.'));
  try {
    await main(life);
  } catch (error) {
    await life.fail(explain(error));
  }
}

/** A stack says something about a bug of ours only; other errors are worded for whoever reads them. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (['TypeError', 'ReferenceError', 'RangeError'].includes(error.name)) return error.stack ?? error.message;
  // The app's own stack comes with the reason why it did not load; a wrong configuration needs none.
  return error.message.includes('ConfigError: ')
    ? error.message.replaceAll(/\n {4}at .*/g, '')
    : error.message;
}
