// Runs at full size what `npm test` runs small: minutes, not seconds. `npm run soak`.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptArguments } from '../services/script-arguments.ts';

scriptArguments('usage: npm run soak     (most of an hour)', {});

const root = join(import.meta.dirname, '..', '..');
const files = [
  'test/journeys/killed-notifications.test.ts',
  'test/journeys/killed-submissions.test.ts',
  'test/journeys/drained-queue.test.ts',
  'test/journeys/lost-connections.test.ts',
  'test/journeys/session-stream.test.ts',
  'dev/apps/portal/test/browser/desk.test.ts',
  'test/functions/v1/backoffice/session-stream.test.ts',
  // Those that ask property-runs.ts how often.
  ...globSync('{test,dev}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('propertyRuns('),
  ),
];
const sizes = {
  DESK_CASES: '10',
  DRAINED_CASES: '5000',
  DRAINING_PHYSICIANS: '32',
  DRAIN_KILLS: '40',
  KILLED_NOTIFICATIONS: '500',
  KILLED_SUBMISSIONS: '200',
  PROPERTY_RUNS_FACTOR: '10',
  LOST_CONNECTIONS_OF: '.',
  STREAMED_EVENTS: '1000',
  STREAM_POLL_MS: '2000',
};

const { status } = spawnSync('npm', ['test', '--', ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...sizes },
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
