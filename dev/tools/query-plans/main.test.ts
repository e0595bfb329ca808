// test/docs.db.test.ts runs the command itself, at a hundredth of its size.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileCache } from '../../../test/support/compile-cache.ts';

const main = join(import.meta.dirname, 'main.ts');

function plans(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const options = {
      env: { PATH: process.env['PATH'], ...compileCache(), NO_COLOR: '1' },
      maxBuffer: 16 * 1024 * 1024,
    };
    execFile(process.execPath, [main, ...args], options, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
    );
  });
}

test('a scale that makes no sense is refused', async () => {
  expect(await plans('--scale', 'huge')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--scale huge/) as string,
  });
});
