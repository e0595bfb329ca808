// The command itself, at a hundredth of its size.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const main = join(import.meta.dirname, 'main.ts');

function plans(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], NO_COLOR: '1' }, maxBuffer: 16 * 1024 * 1024 };
    execFile(process.execPath, [main, ...args], options, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
    );
  });
}

test('every function of the app runs its queries without a sequential scan of a large table', async () => {
  const { code, out, err } = await plans('--scale', '0.01');
  expect(err).toBe('');
  expect(out.match(/FAULT: .*/g) ?? []).toEqual([]);
  expect(out).toMatch(/^100 tenants, 10000 users, 100000 refresh tokens:/);
  // What it shows are the queries that ran, down to those inside functions of the database and to foreign keys.
  expect(out).toMatch(/^getMe\n {2}SELECT s\.uuid.*\n {4}cost [\d.]+: Index Scan sessions_pkey \(1\)/m);
  expect(out).toMatch(/FOR KEY SHARE/);
  for (const name of ['refreshSession', 'createDiagnosis', 'storeImages', 'cleanUp', 'reconcileImages']) {
    expect(out).toMatch(new RegExp(`^${name}\\n {2}\\S`, 'm'));
  }
  expect(code).toBe(0);
}, 180_000);

test('a scale that makes no sense is refused', async () => {
  expect(await plans('--scale', 'huge')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--scale huge/) as string,
  });
});
