// Runs at full size what `npm test` runs small: minutes, not seconds. `npm run soak`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const files = ['test/journeys/killed-submissions.test.ts'];
const sizes = { KILLED_SUBMISSIONS: '200' };

const { status } = spawnSync('npm', ['test', '--', ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...sizes },
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
