// Apps in the process of their test, as almost every test of the gateway runs them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { app as AzureFunctions } from '@azure/functions';
import { describe, expect, test } from 'vitest';
import { AppLoadError } from '../worker-process.ts';
import { registerAnswers } from './apps/answers.ts';
import { hostFor, open, parseReplies, receive, request } from './running-host.ts';

type Functions = typeof AzureFunctions;

/** An app that says its name by whatever way. */
function named(name: string, closed: string[] = []) {
  return (functions: Functions) => {
    functions.http('whoami', {
      route: 'whoami',
      methods: ['GET'],
      handler: (_, context) => {
        context.log(`asked: ${name}`);
        return { body: name };
      },
    });
    functions.http(`only-${name}`, { route: `only/${name}`, methods: ['GET'], handler: () => ({}) });
    functions.timer('tick', {
      schedule: '0 0 0 1 1 *',
      handler: (_, context) => context.log(`ticked: ${name}`),
    });
    functions.hook.appTerminate(() => void closed.push(name));
  };
}

describe('two apps in one process', () => {
  test('have their own functions, logs, timers and end', async () => {
    const closed: string[] = [];
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) => hostFor({ load: named(name, closed), schedules: false })),
    );
    expect((await request(one!, 'GET /whoami')).text).toBe('one');
    expect((await request(two!, 'GET /whoami')).text).toBe('two');
    expect((await request(one!, 'GET /only/two')).status).toBe(404);
    expect((await request(two!, 'GET /only/two')).status).toBe(200);
    await two!.runTimer('tick');
    const said = ({ lines }: { lines: string[] }) => lines.map((line) => line.replace(/^\[.*?\] /, ''));
    expect(said(one!)).toEqual(['asked: one']);
    expect(said(two!)).toEqual(['asked: two', 'ticked: two']);

    await one!.stop();
    expect(closed).toEqual(['one']);
    expect((await request(two!, 'GET /whoami')).text).toBe('two');
    await two!.stop();
    expect(closed).toEqual(['one', 'two']);
  });

  test('one that does not register leaves the others, and the next, alone', async () => {
    const good = await hostFor({ load: named('good') });
    const bad = hostFor({
      load(functions) {
        named('bad')(functions);
        throw new Error('the setting SECRET is missing');
      },
    });
    await expect(bad).rejects.toThrow(AppLoadError);
    await expect(bad).rejects.toThrow('the setting SECRET is missing');
    const next = await hostFor({ load: named('next') });
    expect((await request(next, 'GET /only/bad')).status).toBe(404);
    expect((await request(next, 'GET /whoami')).text).toBe('next');
    expect((await request(good, 'GET /whoami')).text).toBe('good');
  });

  test('a function cannot be registered later, into whichever app', async () => {
    let functions: Functions | undefined;
    const host = await hostFor({
      load(given) {
        functions = given;
        named('early')(given);
      },
    });
    functions?.http('late', { route: 'late', handler: () => ({}) });
    expect((await request(host, 'GET /late')).status).toBe(404);
  });
});

test('the same name twice is an AppLoadError', async () => {
  const twice = hostFor({
    load(functions) {
      named('one')(functions);
      named('two')(functions);
    },
  });
  await expect(twice).rejects.toThrow(AppLoadError);
  await expect(twice).rejects.toThrow('A function with id "whoami" has already been registered');
});

describe('stop', () => {
  test('the request in flight is answered before the app closes, and none is accepted after', async () => {
    const events: string[] = [];
    const host = await hostFor({
      load(functions) {
        functions.http('slow', {
          route: 'slow',
          handler: async () => {
            events.push('began');
            await sleep(300);
            events.push('answers');
            return { body: 'at last' };
          },
        });
        functions.hook.appTerminate(() => void events.push('closes'));
      },
    });
    const socket = await open(host);
    const received = receive(socket);
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => events).toEqual(['began']);
    const stopped = host.stop();
    await expect(open(host)).rejects.toThrow(/ECONNREFUSED/);
    await stopped;
    expect(events).toEqual(['began', 'answers', 'closes']);
    const [reply] = parseReplies(await received);
    expect(reply).toMatchObject({ status: 200, text: 'at last', headers: { connection: ['close'] } });
  });

  test('a timer in flight ends before the app closes', async () => {
    const events: string[] = [];
    const host = await hostFor({
      load(functions) {
        functions.timer('slow', {
          schedule: '0 0 0 1 1 *',
          handler: async () => {
            await sleep(200);
            events.push('ran');
          },
        });
        functions.hook.appTerminate(() => void events.push('closes'));
      },
    });
    const run = host.runTimer('slow');
    await host.stop();
    await run;
    expect(events).toEqual(['ran', 'closes']);
  });

  test('what does not end within the grace period is cut', async () => {
    const host = await hostFor({ load: registerAnswers, shutdownGraceMs: 100 });
    const socket = await open(host);
    const received = receive(socket);
    socket.write('GET /slow/5000 HTTP/1.1\r\nHost: x\r\n\r\n');
    await host.line(/slow began/);
    const startedAt = performance.now();
    await host.stop();
    expect(performance.now() - startedAt).toBeLessThan(3000);
    expect(await received).toHaveLength(0);
  });

  test('a timer asked for after the end does not run', async () => {
    const host = await hostFor({ load: named('gone') });
    await host.stop();
    await expect(host.runTimer('tick')).rejects.toThrow('the app has ended');
    expect(host.lines.join('\n')).not.toContain('ticked');
  });
});

test('it does not restart: a change of its source needs another process', async () => {
  const host = await hostFor({ load: named('one') });
  await expect(host.restartWorker()).rejects.toThrow('an app in this process does not restart');
});
