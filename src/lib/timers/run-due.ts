import type { InvocationContext, Timer as TimerInfo, TimerHandler } from '@azure/functions';
import type { AppContext } from '../app/context.ts';
import { pause } from '../concurrency/pause.ts';
import { createLog, describeError, type LogLevel } from '../telemetry/log.ts';
import {
  type Claim,
  claimTimer,
  leaseMs,
  readTimers,
  recordTimer,
  renewTimer,
  type TimerState,
} from './leases.ts';
import { lastDue } from './schedule.ts';
import { runTimer, type Timer } from './timer.ts';

/** The one timer function: on Flex Consumption each is a group of instances of its own, and each costs cold start. */
export const everyMinuteFunction = {
  name: 'everyMinute',
  // Five seconds after the minute: a host that fires slightly early is still within it.
  schedule: '5 * * * * *',
} as const;

/** No run begins later: the host skips a minute whose predecessor has not ended. What is left is due at the next one. */
const beginWithinMs = 40_000;
/**
 * What was missed is made up for within so long, after a crash or a full minute. No longer: a database restored from a backup
 * would otherwise run at once what removes photos without rows.
 */
const makeUpMs = 15 * 60_000;

type Write = (level: LogLevel, line: string) => void;

export interface TimersOptions {
  timers: readonly Timer[];
  context: AppContext;
  /** Takes lines of runs that outlast their invocation, whose own log is closed then. */
  write: Write;
  /** How long one run holds up those after it. It goes on beside them, at the next minute too, under its lease. */
  waitMs?: number;
}

/** Runs what is due, one after another, or by hand the one that the trigger's `input` names. */
export function serveTimers({ timers, context, write, waitMs = 15_000 }: TimersOptions): TimerHandler {
  const { db, clock, config } = context;

  return async (trigger, invocation) => {
    const lines = linesOf(invocation, write);
    try {
      const input = inputOf(trigger);
      if (input === undefined) await runDue(lines.write);
      else await runTimer(timerNamed(input), context, lines.write);
    } finally {
      lines.end();
    }
  };

  async function runDue(writeLine: Write): Promise<void> {
    const ends = performance.now() + beginWithinMs;
    const on = timers.filter(({ name }) => !config.TIMERS_OFF.includes(name));
    const log = (name: string) => createLog(writeLine, config.LOG_LEVEL, { function: name });
    let due: [Timer, Date][];
    try {
      const now = clock.now();
      const names = on.map(({ name }) => name);
      due = dueTimers(on, await readTimers(db, names, now), now);
    } catch (error) {
      log(everyMinuteFunction.name).error('timer_failed', describeError(error));
      return;
    }
    for (const [timer, at] of due) {
      if (performance.now() > ends) return;
      try {
        const claim: Claim = { name: timer.name, startedAt: clock.now(), due: at };
        if (await claimTimer(db, claim)) await atMost(waitMs, runClaimed(timer, claim, writeLine));
      } catch (error) {
        log(timer.name).error('timer_failed', describeError(error));
      }
    }
  }

  /** Never rejects: nobody may be waiting any more. */
  async function runClaimed(timer: Timer, claim: Claim, writeLine: Write): Promise<void> {
    const log = createLog(writeLine, config.LOG_LEVEL, { function: timer.name });
    const unrecorded = (error: unknown) => log.warn('timer_not_recorded', describeError(error));
    const renewal = setInterval(
      () => void renewTimer(db, claim, clock.now()).catch(unrecorded),
      leaseMs / 3,
    ).unref();
    const outcome = await runTimer(timer, context, writeLine);
    clearInterval(renewal);
    await recordTimer(db, claim, outcome, clock.now()).catch(unrecorded);
  }

  function timerNamed(name: string): Timer {
    const found = timers.find((timer) => timer.name === name);
    if (found === undefined) throw new Error(`there is no timer ${name}`);
    return found;
  }
}

/** Those due, with the time at which they fell due; first the one whose last run began longest ago, so that none is left over twice. */
function dueTimers(
  timers: readonly Timer[],
  states: ReadonlyMap<string, TimerState>,
  now: Date,
): [Timer, Date][] {
  const began = ({ name }: Timer) => states.get(name)?.started_at?.getTime() ?? 0;
  return timers
    .map((timer): [Timer, Date] => [timer, lastDue(timer.schedule, now)])
    .filter(([{ name }, at]) => {
      const state = states.get(name);
      return (
        state !== undefined &&
        state.done_until < at &&
        now.getTime() - at.getTime() < makeUpMs &&
        (state.leased_until === null || state.leased_until <= now)
      );
    })
    .toSorted(([one], [other]) => began(one) - began(other));
}

/** Waits until `work` has ended, but no longer than that. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const ended = new AbortController();
  await Promise.race([work, pause(ms, ended.signal).catch(() => undefined)]);
  ended.abort();
}

/** The name of a timer in a run by hand (`npm run timer`); Azure's own manual run has none, and runs what is due. */
function inputOf(trigger: TimerInfo): string | undefined {
  return 'input' in trigger && typeof trigger.input === 'string' ? trigger.input : undefined;
}

/** Writes through the invocation, so that the host links the lines to it, until that has ended. */
function linesOf(invocation: InvocationContext, write: Write): { write: Write; end(): void } {
  let ended = false;
  return {
    write: (level, line) => (ended ? write(level, line) : invocation[level === 'info' ? 'log' : level](line)),
    end: () => void (ended = true),
  };
}
