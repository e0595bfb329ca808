import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { closingLine } from './support/closing-line.ts';
import { ProjectSequencer } from './support/sequencer.ts';

if (Number(process.versions.node.split('.')[0]) < 24) {
  throw new Error(`The tests need the Node that package.json pins, not ${process.version}: npm test`);
}

/** Tests that need PostgreSQL and Azurite: what speaks HTTP or runs commands, and any file that says `.db.`. */
const WITH_SERVICES = [
  'test/{functions,timers,cli,journeys}/**/*.test.ts',
  'dev/apps/portal/test/browser/**/*.test.ts',
  '{test,dev}/**/*.db.test.ts',
];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    pool: 'forks',
    maxWorkers: Math.min(Math.max(availableParallelism(), 2), 6),
    // Generous on purpose: they only say when to give up, and machines that build are slow.
    testTimeout: 60_000,
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
          exclude: [...WITH_SERVICES, '**/node_modules/**'],
        },
      },
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
