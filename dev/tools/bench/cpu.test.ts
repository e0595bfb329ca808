import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cpuMs } from './cpu.ts';

test.skipIf(!existsSync('/proc'))('processor time is that of the process, in milliseconds', () => {
  const before = cpuMs([process.pid]);
  const started = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
  while (used() < 200);
  // In ticks of 10 ms, of user and system each.
  expect(cpuMs([process.pid]) - before).toBeGreaterThan(160);
});

test('nothing measured is no zero', () => {
  expect(cpuMs([])).toBeNaN();
  expect(cpuMs([-1])).toBeNaN();
});
