import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, runHost } from './running-host.ts';
import type { RunningHost } from './running-host.ts';

let host: RunningHost;
beforeAll(async () => {
  host = await runHost('hooks');
});
afterAll(() => host.stop());

test('appStart runs before the host serves', () => {
  expect(host.lines).toContain('appStart ran');
});

test('hooks run in the order of registration and share hookData within an invocation', async () => {
  const { headers, text } = await request(host, 'GET /hooked');
  expect(text).toBe('from the handler');
  expect(headers['x-order']).toEqual(['pre 1, pre 2, post']);
});

test('a pre hook can replace the handler', async () => {
  expect((await request(host, 'GET /hooked', ['X-Replace-Handler: yes'])).text).toBe('replaced handler');
});

test('a pre hook can replace the inputs', async () => {
  expect((await request(host, 'GET /inputs', ['X-Replace-Inputs: yes'])).text).toBe('other inputs');
});

test.each(['pre', 'handler', 'post'])('a throw in the %s makes it 500', async (where) => {
  expect((await request(host, 'GET /hooked', [`X-Throw: ${where}`])).status).toBe(500);
  expect(await host.line(new RegExp(`thrown by the ${where}`))).toContain('Functions.hooked');
});

test('a post hook can rescue a throw', async () => {
  const { status, text } = await request(host, 'GET /hooked', ['X-Throw: handler', 'X-Rescue: yes']);
  expect({ status, text }).toEqual({ status: 503, text: 'rescued' });
});

test('a post hook can rescue an undefined result', async () => {
  expect((await request(host, 'GET /hooked', ['X-Return: undefined', 'X-Rescue: yes'])).text).toBe('rescued');
  expect((await request(host, 'GET /hooked', ['X-Return: undefined'])).status).toBe(204);
});

test('a log hook rewrites what the app logs', async () => {
  await request(host, 'GET /hooked');
  await host.line(/the \*{6} is out/);
  expect(host.lines.join('\n')).not.toContain('secret');
});

test("a post hook may log through the invocation's context", async () => {
  await request(host, 'GET /hooked', ['X-Log: yes']);
  await host.line(/logged by the post hook/);
  expect(host.lines.join('\n')).not.toContain("Unexpected call to 'log'");
});
