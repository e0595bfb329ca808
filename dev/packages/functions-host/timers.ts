// Timer triggers: the schedule, the payload, and manual runs.
// Source: Azure/azure-webjobs-sdk-extensions, Extensions/Timers/ (TimerListener.cs, TimerSchedule.cs, TimerInfo.cs).
import { parseSchedule } from './ncrontab.ts';
import type { Binding } from './wire.ts';

/** Runs the function with that trigger data; never rejects. Resolves with the error's text, or undefined. */
export type Invoke = (functionName: string, data: string) => Promise<string | undefined>;

export type Timer = {
  /** Starts the schedule, and with `runOnStartup` an immediate run. */
  start(): void;
  stop(): void;
  /** One run now, outside of the schedule. Resolves like Invoke. */
  run(): Promise<string | undefined>;
};

/** A longer wait overflows setTimeout and is split. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
/** .NET's default(DateTime): the value of `last` before the first run. */
const NEVER = '0001-01-01T00:00:00+00:00';

/** Throws when the schedule, after replacing `%SETTING%`, cannot be read. */
export function createTimer(
  functionName: string,
  binding: Binding,
  settings: Record<string, string>,
  invoke: Invoke,
): Timer {
  const schedule = parseSchedule(expandSettings(binding.schedule ?? '', settings));
  const monitored = binding.useMonitor !== false && !schedule.isFrequent;
  let next = schedule.next(Date.now());
  let last: number | undefined;
  let wait: NodeJS.Timeout | undefined;
  let stopped = false;

  function payload(): string {
    const lastText = last === undefined ? NEVER : dotNetTime(last);
    return JSON.stringify({
      Schedule: { AdjustForDST: schedule.isCron },
      ScheduleStatus: monitored ? { Last: lastText, Next: dotNetTime(next), LastUpdated: lastText } : null,
      IsPastDue: false,
    });
  }

  async function runAndGoOn(occurrence: number): Promise<void> {
    // A timer may fire slightly early; counting from the occurrence prevents a second run.
    const startedAt = Math.max(Date.now(), occurrence);
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
        : setTimeout(() => void runAndGoOn(next), remaining);
    wait.unref();
  }

  return {
    start() {
      if (binding.runOnStartup) void runAndGoOn(0);
      else sleep();
    },
    stop() {
      stopped = true;
      clearTimeout(wait);
    },
    run: () => invoke(functionName, payload()),
  };
}

function expandSettings(text: string, settings: Record<string, string>): string {
  return text.replaceAll(/%([^%]+)%/g, (_, name: string) => {
    const value = settings[name];
    if (value === undefined)
      throw new Error(`the setting "${name}" of the schedule "${text}" does not exist`);
    return value;
  });
}

function dotNetTime(ms: number): string {
  return new Date(ms).toISOString().replace(/(?:\.000)?Z$/, '+00:00');
}
