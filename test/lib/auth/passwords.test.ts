import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
import { afterEach, expect, test } from 'vitest';
import { createPasswords, type PasswordOptions, type Passwords } from '../../../src/lib/auth/passwords.ts';

const open: Passwords[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((passwords) => passwords.close()));
});

function pool(options: Partial<PasswordOptions> = {}): Passwords {
  const passwords = createPasswords({ pepper: 'p'.repeat(32), cost: 4, ...options });
  open.push(passwords);
  return passwords;
}

test('hashes and verifies in its threads', async () => {
  const passwords = pool();
  const hash = await passwords.hash('secret words');
  expect(await passwords.verify('secret words', hash)).toEqual({ matches: true, outdated: false });
  expect(await passwords.verify('other words', hash)).toEqual({ matches: false, outdated: false });
  expect(await passwords.verify('other words', undefined)).toEqual({ matches: false, outdated: false });
});

test('each result reaches its own caller, with any number of concurrent jobs', async () => {
  const passwords = pool({ threads: 3, queueLimit: 100 });
  const words = Array.from({ length: 60 }, (_, index) => `words ${index}`);
  const hashes = await Promise.all(words.map((word) => passwords.hash(word)));
  const verdicts = await Promise.all(
    words.map((word, index) =>
      passwords.verify(word, hashes[index % 2 ? index : (index + 1) % words.length]),
    ),
  );
  expect(verdicts.map(({ matches }) => matches)).toEqual(words.map((_, index) => index % 2 === 1));
});

test('one more than the queue holds is refused as busy, and the next one after that is served', async () => {
  const passwords = pool({ threads: 1, queueLimit: 2 });
  const asked = Array.from({ length: 5 }, () => passwords.verify('words', undefined));
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  await expect(asked[4]).rejects.toMatchObject({ code: 'busy', headers: { 'retry-after': '2' } });
  // Above all for addresses without an account: were they refused from now on, that would tell.
  expect(await passwords.verify('words', undefined)).toEqual({ matches: false, outdated: false });
});

test('the event loop stays free meanwhile', async () => {
  const passwords = pool({ cost: 10, threads: 1 });
  const hashing = passwords.hash('secret words');
  const started = performance.now();
  let ticks = 0;
  const state = { done: false };
  void hashing.then(() => (state.done = true));
  while (!state.done) {
    await sleep(1);
    ticks += 1;
  }
  // bcryptjs on this thread would let it breathe every 100 ms at most.
  expect(ticks).toBeGreaterThan((performance.now() - started) / 50);
});

/** Niceness by thread, from `/proc/self/task/…/stat`. */
function priorities(): Map<string, number> {
  const threads = readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      // The name, in parentheses, may hold anything; niceness is the 17th field behind it.
      return [[thread, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])] as const];
    } catch {
      return []; // It has ended meanwhile.
    }
  });
  return new Map(threads);
}

test.runIf(process.platform === 'linux')('the event loop goes first where cores are scarce', async () => {
  // Threads of the tests before may still be about to end.
  const before = priorities();
  const passwords = pool({ threads: 2 });
  await Promise.all([passwords.hash('secret words'), passwords.hash('secret words')]);
  const lowered = () =>
    [...priorities()].filter(([thread, niceness]) => !before.has(thread) && niceness > getPriority());
  await expect.poll(lowered).toHaveLength(2);
});

test('a thread that cannot start fails its job, and the next job starts another one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'password-worker-'));
  try {
    const worker = join(folder, 'worker.ts');
    const passwords = pool({ threads: 1, worker: pathToFileURL(worker) });
    const failed = { message: 'password hashing failed' };
    await expect(passwords.hash('secret words')).rejects.toMatchObject(failed);
    writeFileSync(worker, `throw new Error('not today');`);
    await expect(passwords.hash('secret words')).rejects.toMatchObject(failed);
    writeFileSync(worker, `export default ({ password }) => password.toUpperCase();`);
    await expect(passwords.hash('secret words')).resolves.toBe('SECRET WORDS');
    expect(passwords.load()).toEqual({ running: 0, waiting: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('closing ends the threads and what they were about', async () => {
  const passwords = pool({ cost: 12, threads: 1 });
  await passwords.verify('words', bcrypt.hashSync('words', 4));
  const outcomes = Promise.allSettled([passwords.hash('secret words'), passwords.hash('other words')]);
  await passwords.close();
  const busy = { status: 'rejected', reason: expect.objectContaining({ code: 'busy' }) };
  expect(await outcomes).toEqual([busy, busy]);
});

test('closing while the first job loads the pool starts no thread', async () => {
  const started: Worker[] = [];
  const note = (thread: Worker) => started.push(thread);
  process.on('worker', note);
  try {
    const passwords = pool({ threads: 2 });
    const hashing = [passwords.hash('secret words'), passwords.hash('other words')];
    const refused = hashing.map((job) => expect(job).rejects.toMatchObject({ code: 'busy' }));
    await Promise.all([passwords.close(), ...refused]);
    expect(started).toEqual([]);
    await pool({ threads: 1 }).hash('secret words');
    expect(started).toHaveLength(1);
  } finally {
    process.off('worker', note);
  }
});

test('a closed pool starts no thread again', async () => {
  const passwords = pool();
  await passwords.hash('secret words');
  await passwords.close();
  await expect(passwords.hash('secret words')).rejects.toMatchObject({ code: 'busy' });
  expect(passwords.load()).toEqual({ running: 0, waiting: 0 });
});
