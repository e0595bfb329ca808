import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { app as AzureFunctions } from '@azure/functions';
import { describe, expect, test } from 'vitest';
import type { AppContext } from '../../src/lib/app/context.ts';
import { everyMinuteFunction, serveTimers } from '../../src/lib/timers/run-due.ts';
import { describeSchedule, everyMinute } from '../../src/lib/timers/schedule.ts';
import type { Timer } from '../../src/lib/timers/timer.ts';
import { timers } from '../../src/timers.ts';
import { afterwards } from '../../test/support/cleanup.ts';
import { compileCache } from '../../test/support/compile-cache.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { startHost } from '../packages/functions-host/host.ts';
import { lockFolder } from '../services/folder-lock.ts';
import { lockedFolder } from '../services/support.ts';
import { runTimer } from './timer.ts';

// What a real timer of a real `npm start` prints is in start.test.ts.

const root = join(import.meta.dirname, '..', '..');

/** A host with this timer, as `main.ts` registers it, and announced in a folder as `npm start` does. */
async function running(run: Timer['run'], LOG_LEVEL = 'info') {
  const context = { config: { LOG_LEVEL } } as unknown as AppContext;
  const timers = [{ name: 'openLanes', schedule: everyMinute, summary: '', run }];
  const host = await startHost({
    app: root,
    load: (functions: typeof AzureFunctions) =>
      functions.timer(everyMinuteFunction.name, {
        schedule: '0 0 0 1 1 *',
        handler: serveTimers({ timers, context, write: () => undefined }),
      }),
    output: () => undefined,
  });
  afterwards(() => host.stop());
  const folder = await lockedFolder();
  folder.announce(host.url, host.hostKey);
  return folder.path;
}

describe('a run', () => {
  test('prints the counts of its log line, after its other lines', async () => {
    const folder = await running(async ({ log }) => {
      log.warn('lane_slow', { lane: 3 });
      return { opened: 2, waiting: 0 };
    });
    expect(await runTimer(folder, 'openLanes')).toEqual([
      expect.stringMatching(/"event":"lane_slow".*"lane":3/),
      expect.stringMatching(/^openLanes ran in \d+ ms: opened 2, waiting 0\.$/),
    ]);
  });

  test('that fails is an error with its kind and where', async () => {
    const folder = await running(async () => {
      throw new RangeError('not for a log');
    });
    const failing = runTimer(folder, 'openLanes');
    await expect(failing).rejects.toThrow(
      /^openLanes failed after \d+ ms: RangeError\n\s+at .*timer\.test\.ts/,
    );
    await expect(failing).rejects.not.toThrow('not for a log');
  });

  test('whose counts LOG_LEVEL hides is one all the same', async () => {
    const folder = await running(async () => ({ opened: 2 }), 'error');
    expect(await runTimer(folder, 'openLanes')).toEqual(['openLanes ran; LOG_LEVEL hides its counts.']);
  });

  test('is refused where the app has no such timer, or has another key', async () => {
    const folder = await running(async () => ({}));
    await expect(runTimer(folder, 'closeLanes')).rejects.toThrow(
      /closeLanes failed: .*there is no timer closeLanes/,
    );
    const { address } = JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')) as { address: string };
    const other = await lockedFolder();
    other.announce(address, 'another');
    await expect(runTimer(other.path, 'openLanes')).rejects.toThrow(/runs no timers for this folder \(401\)/);
  });
});

describe('without an app', () => {
  test('nothing running is said, also after an end', async () => {
    await expect(runTimer(tempFolder(), 'openLanes')).rejects.toThrow('Nothing is running in this folder');
    const folder = await lockFolder(tempFolder(), 'npm start');
    folder.announce('http://127.0.0.1:9', 'key');
    folder.release();
    await expect(runTimer(folder.path, 'openLanes')).rejects.toThrow('Nothing is running in this folder');
  });

  test('one that has not started yet, serves none, or does not answer is said', async () => {
    const folder = await lockedFolder();
    await expect(runTimer(folder.path, 'openLanes')).rejects.toThrow(/serves no app, or not yet/);
    folder.announce('http://127.0.0.1:9', 'key');
    await expect(runTimer(folder.path, 'openLanes')).rejects.toThrow(
      'The app at http://127.0.0.1:9 does not answer',
    );
  });
});

test('the key is readable by this user only', async () => {
  const folder = await lockedFolder();
  folder.announce('http://127.0.0.1:9', 'key');
  const file = join(folder.path, 'running.json');
  expect(readFileSync(file, 'utf8')).toContain('"adminKey": "key"');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

async function command(...args: string[]) {
  const child = spawn(process.execPath, [join(root, 'dev', 'run', 'timer.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...compileCache() },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const [status] = (await once(child, 'close')) as [number];
  return { status, output };
}

test('--list lists every timer with schedule and summary; an unknown name lists them too, and is an error', async () => {
  const [listed, unknown, nameless] = await Promise.all([command('--list'), command('openLane'), command()]);
  expect([listed.status, unknown.status, nameless.status]).toEqual([0, 2, 2]);
  expect(unknown.output).toContain('There is no timer openLane.');
  expect(nameless.output).toContain('usage: npm run timer');
  for (const { output } of [listed, unknown, nameless]) {
    const lines = output.split('\n').map((line) => line.split(/ {2,}/));
    for (const { name, schedule, summary } of timers)
      expect(lines).toContainEqual([name, describeSchedule(schedule), summary]);
  }
});
