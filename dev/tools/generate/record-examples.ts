import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '../../../src/endpoints.ts';
import type { Recorded } from '../openapi/examples.ts';

/**
 * What these operations answer, or all where none is named. The contract test plays their scenarios on a gateway of its
 * own.
 * @throws when an operation does not exist, or with the report of the test where it fails.
 */
export function recordExamples(root: string, operations: readonly string[]): Recorded[] {
  const unknown = operations.filter((each) => !endpoints.some(({ name }) => name === each));
  if (unknown.length > 0) throw new Error(`No endpoint is called ${unknown.join(' or ')}.`);
  console.log(`Recording ${operations.length === 0 ? 'all operations' : operations.join(', ')} …`);
  const folder = mkdtempSync(join(tmpdir(), 'dermagate-examples-'));
  try {
    const args = ['run', '--config', 'test/vitest.config.ts', 'test/endpoints/contract.db.test.ts'];
    const only = operations.length === 0 ? [] : ['-t', `\\b(${operations.join('|')})\\b`];
    const { status, stdout, error } = spawnSync('vitest', [...args, ...only], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      env: { ...process.env, RECORD_EXAMPLES: folder },
    });
    if (status !== 0)
      throw new Error(`${error?.message ?? stdout}\nThe contract test fails: nothing was recorded.`);
    return readdirSync(folder).map(
      (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
