import { afterEach, onTestFailed, TestRunner } from 'vitest';

const linesShown = 60;

/**
 * Prints what a process wrote last when the running test fails, or, called outside a test, when any test of the file
 * does: a failure that comes once in a hundred runs must explain itself.
 */
export function showOutputOnFailure(name: string, output: readonly string[]): void {
  function show(): void {
    console.error(`The last lines of ${name}:\n${output.slice(-linesShown).join('\n')}`);
  }
  if (TestRunner.getCurrentTest() === undefined) {
    afterEach(({ task }) => {
      if (task.result?.state === 'fail') show();
    });
  } else onTestFailed(show);
}
