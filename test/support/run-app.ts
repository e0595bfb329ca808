import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { app as AzureFunctions } from '@azure/functions';
import { inject } from 'vitest';
import { type Host, startHost } from '../../dev/packages/functions-host/host.ts';
import type { createApp as CreateApp } from '../../src/app.ts';
import { everyMinuteFunction } from '../../src/lib/timers/run-due.ts';
import type { readConfig as ReadConfig } from '../../src/lib/configuration/config.ts';

/** Runs a timer of the app now, whatever its schedule says. */
export const runTimer = (host: Pick<Host, 'runTimer'>, name: string): Promise<void> =>
  host.runTimer(everyMinuteFunction.name, name);

const ROOT = join(import.meta.dirname, '..', '..');
const require = createRequire(import.meta.url);

export type RunOptions = {
  env: Record<string, string>;
  /** Receives the lines of the app and the host. */
  output: (line: string) => void;
  /** Whether the app has a process of its own: for a test whose subject is the process. */
  process?: boolean;
  /** What a process runs instead of the bundle of this run, relative to the project's folder. */
  main?: string;
  /** Another folder that a process runs, as it would deploy: its own package.json says what is loaded. */
  folder?: string;
};

/** An app on the functions host: in this process, unless it is to have its own. */
export async function runApp({ env, output, main, folder, ...options }: RunOptions): Promise<Host> {
  const hosting = {
    app: folder ?? ROOT,
    env,
    // A timer that fires at the turn of a minute makes a test fail once in a hundred runs.
    schedules: false,
    output,
  };
  if (folder !== undefined) return await startHost(hosting);
  if (main !== undefined || options.process === true) {
    return await startHost({ ...hosting, main: main ?? inject('services').main });
  }
  return await startHost({ ...hosting, load: (functions) => register(functions, env, output) });
}

/** As `main.ts` does it. */
function register(
  functions: typeof AzureFunctions,
  env: Record<string, string>,
  output: (line: string) => void,
): void {
  // Not by `import`, which Vitest would transform: the bundle is loaded once, as it deploys.
  const { createApp, readConfig } = require(join(ROOT, inject('services').app)) as {
    createApp: typeof CreateApp;
    readConfig: typeof ReadConfig;
  };
  const write = (_level: string, line: string) => output(line);
  const { endpoints, timers, close } = createApp(readConfig(env), {
    write,
    role: 'dermagate',
    instance: hostname(),
  });
  for (const { name, ...options } of endpoints) functions.http(name, options);
  for (const { name, ...options } of timers) functions.timer(name, options);
  functions.hook.appTerminate(close);
}
