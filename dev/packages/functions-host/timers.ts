// Timer triggers: the schedule, the payload, and manual runs.
// Source: Azure/azure-webjobs-sdk-extensions, Extensions/Timers/ (TimerListener.cs, TimerInfo.cs).
import { parseSchedule } from './ncrontab.ts';

/** What came of one run. */
export type Run = {
  /** What the handler threw, as text. */
  failure?: string;
  /** What the run logged, whatever the level. */
  lines: string[];
};

/** Runs the function with that trigger data; never rejects. */
export type Invoke = (functionName: string, data: string) => Promise<Run>;

export type Timer = {
  /** Starts the schedule. */
  start(): void;
  stop(): void;
  /** One run now, outside of the schedule; `input` is passed on. */
  run(input?: string): Promise<Run>;
};

/** A longer wait overflows setTimeout and is split. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
/** .NET's default(DateTime): the value of `last` before the first run. */
const NEVER = '0001-01-01T00:00:00+00:00';

/** Throws when the schedule cannot be read. */
export function createTimer(functionName: string, expression: string, invoke: Invoke): Timer {
  const schedule = parseSchedule(expression);
  let next = schedule.next(Date.now());
  let last: number | undefined;
  let wait: NodeJS.Timeout | undefined;
  let stopped = false;

  function payload(input?: string): string {
    const lastText = last === undefined ? NEVER : dotNetTime(last);
    return JSON.stringify({
      Schedule: { AdjustForDST: true },
      ScheduleStatus: { Last: lastText, Next: dotNetTime(next), LastUpdated: lastText },
      IsPastDue: false,
      ...(input !== undefined && { Input: input }),
    });
  }

  async function runAndGoOn(): Promise<void> {
    // A timer may fire slightly early; counting from the occurrence prevents a second run.
    const startedAt = Math.max(Date.now(), next);
    await invoke(functionName, payload());
    last = startedAt;
    next = schedule.next(startedAt);
    sleep();
  }

  function sleep(): void {
    if (stopped) return;
    const remaining = Math.max(next - Date.now(), 1);
    wait =
      remaining > LONGEST_WAIT_MS
        ? setTimeout(sleep, LONGEST_WAIT_MS)
        : setTimeout(() => void runAndGoOn(), remaining);
    wait.unref();
  }

  return {
    start: sleep,
    stop() {
      stopped = true;
      clearTimeout(wait);
    },
    run: (input) => invoke(functionName, payload(input)),
  };
}

function dotNetTime(ms: number): string {
  return new Date(ms).toISOString().replace(/(?:\.000)?Z$/, '+00:00');
}
