import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { closingLine } from './support/closing-line.ts';
import { OWN_PROCESS } from './support/own-process.ts';
import { testTimeoutMs } from './support/property-runs.ts';
import { ProjectSequencer } from './support/sequencer.ts';

if (Number(process.versions.node.split('.')[0]) < 24) {
  throw new Error(`The tests need the Node that package.json pins, not ${process.version}: npm test`);
}

/**
 * Tests that need PostgreSQL and Azurite: what speaks HTTP or runs commands, and any file named `.db.`. And all in a
 * browser, because the files of one worker process share it.
 */
const WITH_SERVICES = [
  'test/{functions,timers,cli,journeys}/**/*.test.ts',
  'dev/apps/portal/test/browser/**/*.test.ts',
  '{test,dev}/**/*.db.test.ts',
  '{test,dev}/**/{browser,*.browser}.test.ts',
];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    pool: 'forks',
    // One more than cores: many tests wait for a process, a deadline or a browser.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    testTimeout: testTimeoutMs,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: ProjectSequencer },
    reporters: ['default', closingLine()],
    globalSetup: 'test/support/compile-cache.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{test,dev}/**/*.test.ts'],
          exclude: [...WITH_SERVICES, ...OWN_PROCESS, '**/node_modules/**'],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'own-process', include: OWN_PROCESS } },
      {
        extends: true,
        test: {
          name: 'http',
          include: WITH_SERVICES,
          globalSetup: 'test/support/global-setup.ts',
          // The files that run in one worker process share its apps and its browser, and load what they import once.
          isolate: false,
        },
      },
    ],
  },
});
