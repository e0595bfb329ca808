import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort, isFree, onFreePort } from './free-port.ts';
import { afterwards } from '../../test/support/cleanup.ts';

async function occupy(port: number) {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  afterwards(async () => void server.close());
}

test('the preferred port is given when it is free, another one when it is not', async () => {
  const port = await freePort();
  expect(await freePort(port)).toBe(port);
  await occupy(port);
  expect(await isFree(port)).toBe(false);
  expect(await freePort(port)).not.toBe(port);
});

test('a port that is taken between finding and using it is replaced', async () => {
  const tried: number[] = [];
  const result = await onFreePort(undefined, async (port) => {
    tried.push(port);
    if (tried.length < 3) throw new Error('could not bind: Address already in use');
    return port;
  });
  expect(result).toBe(tried[2]);
});

test('any other failure is passed on at once', async () => {
  let attempts = 0;
  const start = onFreePort(undefined, async () => {
    attempts++;
    throw new Error('disk full');
  });
  await expect(start).rejects.toThrow('disk full');
  expect(attempts).toBe(1);
});
