import { once } from 'node:events';
import { createServer, Server } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createPortAllocator, isFree } from './free-port.ts';
import { afterwards } from '../../test/support/cleanup.ts';

async function listenOn(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  afterwards(async () => void server.close());
  return (server.address() as { port: number }).port;
}

const found = async (port: number) => port;

/** A port on which nothing listens, that no allocator has handed out. */
const anyPort = () => createPortAllocator().onFreePort(undefined, found);

test('the preferred port is given when it is free, another one when it is not', async () => {
  const port = await anyPort();
  expect(await createPortAllocator().onFreePort(port, found)).toBe(port);
  await listenOn(port);
  expect(await isFree(port)).toBe(false);
  expect(await createPortAllocator().onFreePort(port, found)).not.toBe(port);
});

test('of many simultaneous searches each finds another port, also where all prefer the same', async () => {
  const preferred = await anyPort();
  const { onFreePort } = createPortAllocator();
  const ports = await Promise.all(
    Array.from({ length: 200 }, (_, index) => onFreePort(index % 2 === 0 ? preferred : undefined, found)),
  );
  expect(new Set(ports).size).toBe(200);
  expect(ports).toContain(preferred);
});

/** Makes the system choose these ports one after the other, where it has the choice. */
function systemChooses(...choices: number[]) {
  const { listen } = Server.prototype;
  const spy = vi.spyOn(Server.prototype, 'listen');
  spy.mockImplementation(function (this: Server, ...args: unknown[]) {
    const [options, ...rest] = args as [{ port: number }, () => void];
    const port = options.port === 0 ? (choices.shift() ?? 0) : options.port;
    return Reflect.apply(listen, this, [{ ...options, port }, ...rest]) as Server;
  });
  afterwards(async () => spy.mockRestore());
}

test('an excepted port is never given, neither as the preferred one nor by the system', async () => {
  const [excepted, other] = [await anyPort(), await anyPort()];
  const { onFreePort } = createPortAllocator([excepted]);
  systemChooses(excepted, excepted, other);
  expect(await onFreePort(excepted, found)).toBe(other);
});

test('what the system chooses is neither given twice nor taken from who prefers it', async () => {
  const [wanted, first, second] = [await anyPort(), await anyPort(), await anyPort()];
  const { onFreePort } = createPortAllocator([], [wanted]);
  systemChooses(first, wanted, first, second);
  expect(await onFreePort(undefined, found)).toBe(first);
  expect(await onFreePort(undefined, found)).toBe(second);
  expect(await onFreePort(wanted, found)).toBe(wanted);
});

test('a port that is taken between finding and using it is replaced, by one that nobody else has', async () => {
  const { onFreePort } = createPortAllocator();
  const tried: number[] = [];
  const result = await onFreePort(undefined, async (port) => {
    tried.push(port);
    if (tried.length < 3) throw new Error('could not bind: Address already in use');
    return port;
  });
  expect(result).toBe(tried[2]);
  expect(new Set(tried).size).toBe(3);
});

test('any other failure is passed on at once', async () => {
  let attempts = 0;
  const start = createPortAllocator().onFreePort(undefined, async () => {
    attempts++;
    throw new Error('disk full');
  });
  await expect(start).rejects.toThrow('disk full');
  expect(attempts).toBe(1);
});
