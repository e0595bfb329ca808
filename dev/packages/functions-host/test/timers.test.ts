import { describe, expect, test } from 'vitest';
import type { app as AzureFunctions } from '@azure/functions';
import { parseSchedule } from '../ncrontab.ts';
import { registerTimers } from './apps/register-timers.ts';
import { hostFor, request } from './running-host.ts';
import type { RunningHost } from './running-host.ts';

describe('the next occurrence, in UTC', () => {
  test.each([
    ['* * * * * *', '2026-11-21T10:00:00', '2026-11-21T10:00:01'],
    ['0 */5 * * * *', '2026-11-21T10:00:00', '2026-11-21T10:05:00'],
    ['0 5/15 * * * *', '2026-11-21T10:06:00', '2026-11-21T10:20:00'],
    ['0 5/15 * * * *', '2026-11-21T10:51:00', '2026-11-21T11:05:00'],
    ['0,30 * * * * *', '2026-11-21T10:00:10', '2026-11-21T10:00:30'],
    ['0 0 9-17 * * 1-5', '2026-11-20T17:00:00', '2026-11-23T09:00:00'],
    ['0 30 2 * * *', '2026-11-21T02:30:00', '2026-11-22T02:30:00'],
    ['0 0 0 29 2 *', '2026-11-21T00:00:00', '2028-02-29T00:00:00'],
    ['0 0 0 13 * 5', '2026-11-21T00:00:00', '2027-08-13T00:00:00'], // day and weekday: both, unlike Unix cron
  ])('%s after %s is %s', (expression, after, expected) => {
    const next = parseSchedule(expression).next(Date.parse(`${after}Z`));
    expect(new Date(next).toISOString()).toBe(`${expected}.000Z`);
  });

  test.each([
    '',
    '*/5 * * * *',
    '60 * * * * *',
    '* * * 0 * *',
    '* * * * * 7',
    '5-1 * * * * *',
    '1,,2 * * * * *',
    '@daily',
    '0 0 0 L * *',
  ])('"%s" is refused', (expression) => {
    expect(() => parseSchedule(expression)).toThrow();
  });

  test('a day that never comes is refused', () => {
    expect(() => parseSchedule('0 0 0 30 2 *').next(0)).toThrow('never occurs');
  });
});

const linesOf = (host: RunningHost, name: string) => host.lines.filter((line) => line.includes(`${name}: `));

test('a timer fires by itself, again and again, until the host stops', async () => {
  const host = await hostFor({ load: registerTimers });
  await expect.poll(() => linesOf(host, 'everySecond').length).toBeGreaterThanOrEqual(2);
  await host.stop();
  const { length } = host.lines;
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(host.lines).toHaveLength(length);
});

test('none fires where schedules are off, and runTimer still runs it, waits for the end and rejects when it fails', async () => {
  const host = await hostFor({ load: registerTimers, schedules: false });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(linesOf(host, 'everySecond')).toEqual([]);
  await host.runTimer('everySecond');
  expect(linesOf(host, 'everySecond')).toHaveLength(1);
  await expect(host.runTimer('fails')).rejects.toThrow('the nightly job is broken');
  await expect(host.runTimer('hello')).rejects.toThrow('there is no timer function "hello"');
});

test('a schedule that cannot be read keeps the app from starting', async () => {
  const load = (functions: typeof AzureFunctions) =>
    functions.timer('never', { schedule: 'every day', handler: () => undefined });
  await expect(hostFor({ load })).rejects.toThrow('never: "every day" is not an NCRONTAB expression');
});

describe('manual runs', () => {
  const trigger = (host: RunningHost, name: string, headers: string[] = [], key = host.hostKey) =>
    request(
      host,
      `POST /admin/functions/${name}`,
      ['Content-Type: application/json', `X-Functions-Key: ${key}`, ...headers],
      '{}',
    );

  // Both ways: the lines of a run are found by its id, which crosses the pipe.
  test.each([
    ['in this process', { load: registerTimers }],
    ['in a process of its own', { main: 'timers.ts' }],
  ])(
    'POST /admin/functions/<name> answers 202 and runs the timer with its payload, %s',
    async (_, options) => {
      const host = await hostFor({ ...options, schedules: false });
      expect((await trigger(host, 'nightly')).status).toBe(202);
      const line = await host.line(/nightly: /);
      expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual({
        schedule: { adjustForDST: true },
        scheduleStatus: {
          last: '0001-01-01T00:00:00+00:00',
          next: expect.stringMatching(/^\d{4}-\d\d-\d\dT02:30:00\+00:00$/),
          lastUpdated: '0001-01-01T00:00:00+00:00',
        },
        isPastDue: false,
      });

      const [waited, failed] = await Promise.all([
        trigger(host, 'nightly', ['Prefer: wait']),
        trigger(host, 'fails', ['Prefer: wait']),
      ]);
      expect(waited.status).toBe(200);
      expect(JSON.parse(waited.text)).toEqual({ lines: [expect.stringMatching(/^nightly: /), 'a detail'] });
      expect(JSON.parse(failed.text)).toEqual({
        lines: [],
        failure: expect.stringContaining('the nightly job is broken'),
      });
    },
  );

  test.each([
    ['{"input":"openLanes"}', 'openLanes'],
    ['{"input":1}', undefined],
    ['no JSON', undefined],
  ])('of the body %s the input is passed on: %s', async (body, input) => {
    const host = await hostFor({ load: registerTimers, schedules: false });
    const headers = ['Content-Type: application/json', `X-Functions-Key: ${host.hostKey}`, 'Prefer: wait'];
    const { text } = await request(host, 'POST /admin/functions/nightly', headers, body);
    const [line = ''] = (JSON.parse(text) as { lines: string[] }).lines;
    expect((JSON.parse(line.slice(line.indexOf('{'))) as { input?: string }).input).toBe(input);
  });

  test('no timer of this name is 404, another type 415, without the key 401, and nothing runs', async () => {
    const host = await hostFor({ load: registerTimers, schedules: false });
    expect((await trigger(host, 'nobody')).status).toBe(404);
    expect((await trigger(host, 'hello')).status).toBe(404);
    const json = 'Content-Type: application/json';
    expect((await trigger(host, 'nightly', [], 'wrong')).status).toBe(401);
    expect((await request(host, 'POST /admin/functions/nightly', [json], '{}')).status).toBe(401);
    const typeless = [`X-Functions-Key: ${host.hostKey}`];
    expect((await request(host, 'POST /admin/functions/nightly', typeless, '{}')).status).toBe(415);
    expect(linesOf(host, 'nightly')).toEqual([]);
  });
});
