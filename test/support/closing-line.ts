import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Closes every run with one plain line, `12 passed, 0 failed, 1 skipped` (the last part only when there is
 * something to say), for scripts to read. It counts what vitest's summary does not count as tests: a file that
 * does not load, a failing hook, an unhandled error and a run that never got to its tests are failures too. A line
 * before it says what was skipped because the machine lacks something.
 */
export function closingLine(): Reporter {
  let line: string | undefined = '0 passed, 1 failed';
  let watching = false;
  const print = () => {
    if (line !== undefined) writeSync(1, `${line}\n`);
    line = undefined;
  };
  return {
    onInit(vitest) {
      watching = vitest.config.watch;
      process.once('exit', print);
    },
    onTestRunEnd(modules, unhandledErrors, reason) {
      const { passed, skipped, missing, ...counted } = count(modules);
      const failures = counted.failed + unhandledErrors.length;
      const failed = reason === 'passed' ? failures : Math.max(failures, 1);
      const lacking = missing.map((what) => `Skipped: ${what}\n`).join('');
      line = `${lacking}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
      if (watching) setImmediate(print);
    },
  };
}

function count(modules: readonly TestModule[]) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const missing = new Set<string>();
  for (const module of modules) {
    total.failed += module.errors().length;
    for (const suite of module.children.allSuites()) total.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      total[state === 'pending' ? 'skipped' : state]++;
      const { missing: what } = test.meta();
      if (what !== undefined) missing.add(what);
    }
  }
  return { ...total, missing: [...missing] };
}
