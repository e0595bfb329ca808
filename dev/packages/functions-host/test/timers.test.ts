import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostFor, request, runHost, sleep } from './running-host.ts';
import type { RunningHost } from './running-host.ts';

let host: RunningHost;
beforeAll(async () => {
  host = await runHost('timers', {
    env: { NIGHTLY: '0 30 2 * * *', 'AzureWebJobs.switchedOff.Disabled': '1' },
  });
});
afterAll(() => host.stop());

type Payload = {
  schedule: { adjustForDST: boolean };
  scheduleStatus: { last: string; next: string; lastUpdated: string } | null;
  isPastDue: boolean;
};

async function payload(name: string): Promise<Payload> {
  const line = await host.line(new RegExp(`^${name}: `));
  return JSON.parse(line.slice(name.length + 2)) as Payload;
}

describe('schedules', () => {
  test('a 6-field NCRONTAB expression fires by itself, again and again', async () => {
    const runs = () => host.lines.filter((line) => line.startsWith('everySecond: ')).length;
    await expect.poll(runs).toBeGreaterThanOrEqual(3);
  });

  test('a TimeSpan fires by itself and does not adjust for DST', async () => {
    expect(await payload('everyTwoSeconds')).toEqual({
      schedule: { adjustForDST: false },
      scheduleStatus: null,
      isPastDue: false,
    });
  });

  test('runOnStartup runs when the app starts', async () => {
    expect(await payload('atStart')).toMatchObject({ schedule: { adjustForDST: true }, isPastDue: false });
  });

  test('a timer that a setting disables does not fire', async () => {
    await host.line(/^everySecond/);
    expect(host.lines.filter((line) => line.startsWith('switchedOff'))).toEqual([]);
  });

  test('none fires where schedules are off, also not at the start, and runTimer still runs it', async () => {
    const quiet = await runHost('timers', { env: { NIGHTLY: '0 30 2 * * *' }, schedules: false });
    await sleep(1500);
    expect(quiet.lines.filter((line) => /^(every|atStart)/.test(line))).toEqual([]);
    await quiet.runTimer('everySecond');
    await quiet.line(/^everySecond/);
    await quiet.stop();
  });

  test('a schedule that cannot be read keeps the app from starting', async () => {
    await expect(hostFor('timers', { main: 'bad-schedule.ts' })).rejects.toThrow(
      /never: "every day" is neither/,
    );
    await expect(hostFor('timers')).rejects.toThrow(/nightly: the setting "NIGHTLY".*does not exist/);
  });
});

const keyOf = ({ hostKey }: { hostKey: string }) => `X-Functions-Key: ${hostKey}`;

describe('manual runs', () => {
  const trigger = (name: string, body = '{}', type = 'application/json') =>
    request(host, `POST /admin/functions/${name}`, [`Content-Type: ${type}`, keyOf(host)], body);

  test('POST /admin/functions/<name> answers 202 and runs the timer with its payload', async () => {
    expect((await trigger('nightly')).status).toBe(202);
    const { scheduleStatus } = await payload('nightly');
    expect(scheduleStatus).toMatchObject({ last: '0001-01-01T00:00:00+00:00' });
    expect(scheduleStatus!.next).toMatch(/^\d{4}-\d\d-\d\dT02:30:00\+00:00$/);
  });

  test('an unknown function is 404, no JSON is 400, another type is 415, another method is 404', async () => {
    expect((await trigger('nobody')).status).toBe(404);
    expect((await trigger('nightly', '{"input":')).status).toBe(400);
    expect((await trigger('nightly', '"text"')).status).toBe(400);
    expect((await trigger('nightly', '{}', 'text/plain')).status).toBe(415);
    expect((await request(host, 'GET /admin/functions/nightly', [keyOf(host)])).status).toBe(404);
  });

  test('without the key nothing runs: 401, and Content-Length: 0', async () => {
    const before = host.lines.filter((line) => line.startsWith('nightly: ')).length;
    for (const key of [[], ['X-Functions-Key: wrong']]) {
      const line = 'POST /admin/functions/nightly';
      const reply = await request(host, line, ['Content-Type: application/json', ...key], '{}');
      expect(reply.status).toBe(401);
      expect(reply.headers['content-length']).toEqual(['0']);
    }
    await sleep(100);
    expect(host.lines.filter((line) => line.startsWith('nightly: '))).toHaveLength(before);
  });

  test('host.runTimer waits for the end, and rejects when the function fails', async () => {
    const runs = () => host.lines.filter((line) => line.startsWith('nightly: ')).length;
    const before = runs();
    await host.runTimer('nightly');
    await sleep(50);
    expect(runs()).toBe(before + 1);
    await expect(host.runTimer('fails')).rejects.toThrow('the nightly job is broken');
    await expect(host.runTimer('hello')).rejects.toThrow('there is no timer function "hello"');
  });

  test('other triggers run by hand only, with the input given', async () => {
    const queue = await hostFor('odd', { main: 'queue.ts' });
    expect(queue.lines.join('\n')).toMatch(/onMessage: nothing fires a queueTrigger here/);
    const body = JSON.stringify({ input: '{"id":1}' });
    const reply = await request(
      queue,
      'POST /admin/functions/onMessage',
      ['Content-Type: application/json', keyOf(queue)],
      body,
    );
    expect(reply.status).toBe(202);
    expect(await queue.line(/^message: /)).toBe('message: {"id":1}');
  });
});

test('after stop no timer fires', async () => {
  const short = await runHost('timers', { env: { NIGHTLY: '0 0 0 * * *' } });
  await short.line(/^everySecond/);
  await short.stop();
  const count = short.lines.length;
  await sleep(1200);
  expect(short.lines).toHaveLength(count);
});
