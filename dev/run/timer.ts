// npm run timer -- <name>: runs a timer of the app that `npm start` serves, now, and prints what came of it.
import { join } from 'node:path';
import { everyMinuteFunction } from '../../src/lib/timers/run-due.ts';
import { describeSchedule } from '../../src/lib/timers/schedule.ts';
import { timers } from '../../src/timers.ts';
import { runningHolder } from '../services/folder-lock.ts';
import { scriptArguments } from '../services/script-arguments.ts';

/** A line of the app's log, as `createLog` writes it. */
type LogFields = Readonly<Record<string, string | number | undefined>>;

const USAGE = 'usage: npm run timer -- <name> | --list     (a timer of the app that npm start serves)';

/** Runs the timer, whatever its schedule says. Returns the lines to print; throws when it cannot run, or fails. */
export async function runTimer(folder: string, name: string): Promise<string[]> {
  const holder = runningHolder(folder);
  if (holder === undefined)
    throw new Error('Nothing is running in this folder. Start the app first: npm start');
  const { address, adminKey, command, pid } = holder;
  if (address === undefined || adminKey === undefined) {
    throw new Error(
      `${command} (process ${pid}) serves no app, or not yet. Wait until npm start prints "Ready at".`,
    );
  }
  const reply = await fetch(new URL(`/admin/functions/${everyMinuteFunction.name}`, address), {
    method: 'POST',
    // The host's own word: it answers when the run has ended (dev/packages/functions-host/front.ts).
    headers: { 'content-type': 'application/json', 'x-functions-key': adminKey, prefer: 'wait' },
    // Azure would run what is due.
    body: JSON.stringify({ input: name }),
  }).catch((error: unknown) => {
    throw new Error(`The app at ${address} does not answer. Start it again: npm start`, { cause: error });
  });
  if (reply.status !== 200) {
    throw new Error(
      `The app at ${address} runs no timers for this folder (${reply.status}). Start it again: npm start`,
    );
  }
  const { failure, lines } = (await reply.json()) as { failure?: string; lines: string[] };
  if (failure !== undefined) throw new Error(`${name} failed: ${failure}`);
  const outcome = lines.map(eventOf).find(({ event }) => event === 'timer' || event === 'timer_failed');
  if (outcome?.['event'] === 'timer_failed') throw new Error(describeFailure(name, outcome));
  const others = lines.filter((line) => eventOf(line)['event'] !== 'timer');
  return [...others, describeOutcome(name, outcome)];
}

/** Empty for a line that is not of the app's log. */
function eventOf(line: string): LogFields {
  try {
    return JSON.parse(line) as LogFields;
  } catch {
    return {};
  }
}

function describeOutcome(name: string, outcome: LogFields | undefined): string {
  if (outcome === undefined) return `${name} ran; LOG_LEVEL hides its counts.`;
  const { level: _level, event: _event, function: _name, ms, ...counts } = outcome;
  const found = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
  return `${name} ran in ${ms} ms${found.length === 0 ? '' : `: ${found.join(', ')}`}.`;
}

function describeFailure(name: string, { ms, error, errorCode, stack }: LogFields): string {
  const code = errorCode === undefined ? '' : ` ${errorCode}`;
  return `${name} failed after ${ms} ms: ${error}${code}${stack === undefined ? '' : `\n${stack}`}`;
}

function list(): string {
  const rows = timers.map(
    ({ name, schedule, summary }) => [name, describeSchedule(schedule), summary] as const,
  );
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length));
  const [names, schedules] = [width(0), width(1)];
  return rows
    .map(([name, schedule, summary]) => `${name.padEnd(names)}  ${schedule.padEnd(schedules)}  ${summary}`)
    .join('\n');
}

function readName(): string | undefined {
  const { values, positionals } = scriptArguments(USAGE, {
    options: { list: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [name, ...more] = positionals;
  if (values.list && name === undefined) return undefined;
  if (name !== undefined && more.length === 0 && timers.some((timer) => timer.name === name)) return name;
  console.error(name === undefined || more.length > 0 ? USAGE : `There is no timer ${name}.`);
  console.error(`The timers:\n${list()}`);
  process.exit(2);
}

if (import.meta.main) {
  const name = readName();
  try {
    if (name === undefined) console.log(list());
    else
      for (const line of await runTimer(join(import.meta.dirname, '..', '..', '.local'), name))
        console.log(line);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
