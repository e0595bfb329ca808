import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { appFolder } from './running-host.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));

function run(...args: string[]) {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
      listeners.forEach((look) => look());
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    ended,
    output: () => output,
    until(pattern: RegExp) {
      const { promise, resolve } = Promise.withResolvers<RegExpExecArray>();
      const look = () => {
        const match = pattern.exec(output);
        if (match) resolve(match);
      };
      listeners.add(look);
      look();
      return promise;
    },
  };
}

describe('a running app', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'prints its functions as Core Tools does, serves, and ends on %s',
    async (signal) => {
      const host = run('--app', appFolder('odd'), '--main', 'catch-all.ts', '--port', '0');
      const [, address] = await host.until(
        /Functions:\n\n\tzz-all: \[GET,POST\] (http:\/\/localhost:\d+)\/\{\*path\}\n/,
      );
      expect((await fetch(`${address}/anything`)).status).toBe(200);
      host.child.kill(signal);
      expect(await host.ended).toBe(0);
    },
  );

  test('timers are listed by their trigger', async () => {
    const host = run('--app', appFolder('timers'), '--main', 'bad-schedule.ts', '--port', '0', '--lenient');
    await host.until(/\tnever: timerTrigger \(not served: .*every day/);
    host.child.kill('SIGTERM');
    expect(await host.ended).toBe(0);
  });

  test('with --enable-auth the key is printed', async () => {
    const host = run('--app', appFolder('answers'), '--port', '0', '--enable-auth');
    const [, key] = await host.until(/x-functions-key: (\S+)/);
    const [, address] = await host.until(/keyed: \[GET,POST\] (\S+)/);
    expect((await fetch(address!)).status).toBe(401);
    expect((await fetch(address!, { headers: { 'x-functions-key': key! } })).status).toBe(200);
  });
});

describe('refusals', () => {
  test.each([
    [[], '--app is missing'],
    [['--app'], "'--app <value>' argument missing"],
    [['--app', '.', '--port', 'x'], '--port x is not a port number'],
    [['--app', '.', '--port', '70000'], '--port 70000 is not a port number'],
    [['--app', '.', '--colour'], "Unknown option '--colour'"],
  ])('%j: exit code 2, the problem and the usage', async (args, problem) => {
    const host = run(...args);
    expect(await host.ended).toBe(2);
    expect(host.output()).toContain(problem);
    expect(host.output()).toContain('usage: npm run host -- --app DIR');
  });

  test('an app that does not load: exit code 1 and the reason', async () => {
    const host = run('--app', appFolder('odd'), '--main', 'throws.ts', '--port', '0');
    expect(await host.ended).toBe(1);
    expect(host.output()).toContain('the setting SECRET is missing');
    expect(host.output()).not.toContain('Functions:');
  });

  test('--lenient serves it as a real host would', async () => {
    const host = run('--app', appFolder('odd'), '--main', 'throws.ts', '--port', '0', '--lenient');
    await host.until(/No functions/);
    host.child.kill('SIGTERM');
    expect(await host.ended).toBe(0);
  });
});
