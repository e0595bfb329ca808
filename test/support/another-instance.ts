import { type RequestOptions, type TestApp, withFrontDoor } from './app.ts';
import { afterwards } from './cleanup.ts';
import { type RunOptions, runApp, runTimer } from './run-app.ts';
import { showOutputOnFailure } from './show-output.ts';

export type Instance = Pick<TestApp, 'url' | 'host' | 'output' | 'request' | 'runTimer' | 'stop' | 'env'>;

/**
 * A further instance of a running app on the same database, with `env` over the first one's (undefined removes):
 * what a second machine is, or the same one after a change of its settings. `request` speaks to this one; gone with
 * the calling file or test.
 */
export async function anotherInstance(
  app: Pick<TestApp | TestApp<'real'>, 'env' | 'request'>,
  env: Record<string, string | undefined> = {},
  options: Pick<RunOptions, 'process'> = {},
): Promise<Instance> {
  const output: string[] = [];
  const settings: Record<string, string | undefined> = { ...app.env, ...env };
  const merged = withFrontDoor(
    Object.fromEntries(
      Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  );
  const host = await runApp({ ...options, env: merged, output: (line) => void output.push(line) });
  showOutputOnFailure(`the instance at ${host.url}`, output);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= host.stop());
  afterwards(stop);
  const request = (path: string, options?: RequestOptions) =>
    app.request(new URL(path, host.url).href, options);
  return {
    url: host.url,
    host,
    output,
    env: merged,
    request,
    runTimer: (name) => runTimer(host, name),
    stop,
  };
}
