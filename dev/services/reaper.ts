// A process that outlives its parent, to end the children of a killed parent. It reads orders from standard input, one JSON
// line each, and acts when that input ends: the kernel closes the pipe however the parent ends, even by SIGKILL.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** The parent's orders; `end` and `remove` remain until `forget` revokes them. */
export type ReaperOrder =
  | { end: number; signal: NodeJS.Signals; graceMs: number }
  | { remove: string }
  | { forget: number | string };

const children = new Map<number, { signal: NodeJS.Signals; graceMs: number }>();
const folders = new Set<string>();

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function end(pid: number, signal: NodeJS.Signals, graceMs: number) {
  send(pid, signal);
  const deadline = Date.now() + graceMs;
  while (send(pid, 0)) {
    if (Date.now() > deadline) {
      send(pid, 'SIGKILL');
      return;
    }
    await sleep(50);
  }
}

if (import.meta.main) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as ReaperOrder;
    if ('end' in order) children.set(order.end, order);
    else if ('remove' in order) folders.add(order.remove);
    else if (typeof order.forget === 'number') children.delete(order.forget);
    else folders.delete(order.forget);
  }
  await Promise.all([...children].map(([pid, { signal, graceMs }]) => end(pid, signal, graceMs)));
  const remove = () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  remove();
  // What ends with the parent may write once more at its own end, such as Node's compile cache.
  await sleep(2000);
  remove();
}
