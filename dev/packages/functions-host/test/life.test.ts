// Crashes, restarts and shutdown.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { registerAnswers } from './apps/answers.ts';
import { APPS, hostFor, open, parseReplies, receive, request, runHost, sleep } from './running-host.ts';

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a worker that ends', () => {
  test.each(['/exit', '/reject'])(
    'GET %s: what was in flight is 500, the next request waits for the new worker and is answered',
    async (path) => {
      // The first restart waits for nothing.
      const host = await hostFor({ restartDelayMs: 60_000 });
      const before = host.workerPid();
      const bystander = request(host, 'GET /slow/3000');
      await host.line(/slow began/);
      expect((await request(host, `GET ${path}`)).status).toBe(500);
      expect((await request(host, 'GET /get-only')).status).toBe(200);
      expect((await bystander).status).toBe(500);
      expect(host.workerPid()).not.toBe(before);
      expect(host.lines.join('\n')).toMatch(/The worker ended unexpectedly \(exit code [13]\)/);
    },
  );

  test('soon after the first restart the second waits, and so does the next request', async () => {
    const host = await hostFor({ restartDelayMs: 1500 });
    await request(host, 'GET /exit');
    expect((await request(host, 'GET /get-only')).status).toBe(200);
    expect((await request(host, 'GET /exit')).status).toBe(500);
    const startedAt = performance.now();
    expect((await request(host, 'GET /get-only')).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(500);
  });

  test('the third crash ends the host: its port is closed at once, and it is gone after a while', async () => {
    const host = await hostFor({ restartDelayMs: 0, endDelayMs: 500 });
    for (const _ of [1, 2]) {
      expect((await request(host, 'GET /exit')).status).toBe(500);
      expect((await request(host, 'GET /get-only')).status).toBe(200);
    }
    expect((await request(host, 'GET /exit')).status).toBe(500);
    const startedAt = performance.now();
    await expect(open(host)).rejects.toThrow(/ECONNREFUSED/);
    expect(performance.now() - startedAt).toBeLessThan(400);
    expect(await host.ended).toMatch(/exit code 3\); no other one starts/);
    expect(performance.now() - startedAt).toBeGreaterThan(400);
  });

  test('a stop releases the requests that wait for a worker', async () => {
    const host = await hostFor({ restartDelayMs: 60_000 });
    await request(host, 'GET /exit');
    await request(host, 'GET /get-only');
    await request(host, 'GET /exit');
    const waiting = request(host, 'GET /get-only');
    await sleep(100);
    await host.stop();
    expect((await waiting).status).toBe(500);
  });

  test("an uncaught error's stack is in the output", async () => {
    const host = await hostFor();
    await request(host, 'GET /reject');
    expect(await host.line(/Worker uncaught exception/)).toContain('floating');
  });

  test('killed from outside, it comes back as well; stop() does not wait for that', async () => {
    const host = await hostFor({ restartDelayMs: 60_000 });
    process.kill(host.workerPid()!, 'SIGKILL');
    await host.line(/ended unexpectedly \(SIGKILL\)/);
    await host.stop();
    expect(host.workerPid()).toBe(undefined);
  });

  test('signals of the terminal do not reach the app: the host decides', async () => {
    const host = await hostFor();
    process.kill(host.workerPid()!, 'SIGINT');
    await sleep(100);
    expect((await request(host, 'GET /get-only')).status).toBe(200);
  });
});

describe('restartWorker', () => {
  async function restartable() {
    const folder = await mkdtemp(join(tmpdir(), 'host-restart-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const marker = join(folder, 'broken');
    const host = await hostFor({ env: { BROKEN_IF_EXISTS: marker } });
    return { host, marker };
  }

  test('loads the app anew; requests wait meanwhile, running ones are answered', async () => {
    const { host } = await restartable();
    const first = String(host.workerPid());
    const running = request(host, 'GET /slow/500');
    await host.line(/slow began/);
    const restarted = host.restartWorker();
    const meanwhile = await request(host, 'GET /pid');
    await restarted;
    expect(await running).toMatchObject({ status: 200, text: 'at last' });
    expect(meanwhile.status).toBe(200);
    expect(meanwhile.text).not.toBe(first);
    expect(String(host.workerPid())).toBe(meanwhile.text);
  });

  test('rejects when the app does not load; the host stays, and the next restart works', async () => {
    const { host, marker } = await restartable();
    await writeFile(marker, '');
    await expect(host.restartWorker()).rejects.toThrow('broken by the test');
    expect((await request(host, 'GET /pid')).status).toBe(404);
    await rm(marker);
    await host.restartWorker();
    expect((await request(host, 'GET /pid')).status).toBe(200);
  });

  test('several at once end with one worker', async () => {
    const { host } = await restartable();
    await Promise.all([host.restartWorker(), host.restartWorker(), host.restartWorker()]);
    expect((await request(host, 'GET /pid')).text).toBe(String(host.workerPid()));
  });
});

describe('stop', () => {
  test('the request in flight is answered, its connection closed, and no other accepted', async () => {
    const host = await runHost();
    const [idle, socket] = [await open(host), await open(host)];
    const [unused, received] = [receive(idle), receive(socket)];
    socket.write('GET /slow/400 HTTP/1.1\r\nHost: x\r\n\r\n');
    await host.line(/slow began/);
    const stopped = host.stop();
    await expect(open(host)).rejects.toThrow(/ECONNREFUSED/);
    // One that a browser has opened ahead holds nothing up.
    expect(await unused).toHaveLength(0);
    const [reply] = parseReplies(await received);
    expect(reply).toMatchObject({ status: 200, text: 'at last' });
    expect(reply!.headers.connection).toEqual(['close']);
    await stopped;
  });

  test('the request in flight has longer than the hooks have', async () => {
    const host = await runHost();
    // The hooks have five seconds.
    const slow = request(host, 'GET /slow/5500');
    await host.line(/slow began/);
    await host.stop();
    expect(await slow).toMatchObject({ status: 200, text: 'at last' });
  });

  test('then the appTerminate hooks run to their end', async () => {
    const host = await runHost({ env: { TERMINATE_MS: '100' } });
    await host.stop();
    expect(host.lines.at(-1)).toBe('appTerminate ran');
    expect(host.lines.join('\n')).not.toContain('is killed');
  });

  test('what does not end within the grace period is cut', async () => {
    const host = await runHost({ shutdownGraceMs: 200 });
    const socket = await open(host);
    const received = receive(socket);
    socket.write('GET /slow/60000 HTTP/1.1\r\nHost: x\r\n\r\n');
    await host.line(/slow began/);
    const pid = host.workerPid()!;
    await host.stop();
    expect((await received).length).toBe(0);
    expect(isRunning(pid)).toBe(false);
  });

  test('a hook that hangs is cut as well', async () => {
    const host = await runHost({ env: { TERMINATE_MS: '60000' }, shutdownGraceMs: 200 });
    const pid = host.workerPid()!;
    await host.stop();
    expect(isRunning(pid)).toBe(false);
    expect(host.lines.join('\n')).toContain('The worker has not ended within 200 ms; it is killed.');
  });

  test('stopping while the app is being restarted leaves no process behind', async () => {
    const host = await runHost();
    const restarted = host.restartWorker().catch((error: Error) => error.message);
    await sleep(20);
    await host.stop();
    await restarted;
    expect(host.workerPid()).toBe(undefined);
  });

  test('a host that is killed takes its worker along', async () => {
    const source = `
      const { startHost } = await import(${JSON.stringify(new URL('../host.ts', import.meta.url).href)});
      const host = await startHost({ app: ${JSON.stringify(APPS)} });
      console.log('worker ' + host.workerPid());
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(/worker (\d+)/.exec(line.toString())![1]);
    child.kill('SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('stopping twice is stopping once', async () => {
    const host = await runHost({ load: registerAnswers });
    await Promise.all([host.stop(), host.stop()]);
    await host.stop();
  });
});
