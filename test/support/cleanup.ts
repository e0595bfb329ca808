import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Runs `cleanup` when the running test ends, or, called outside a test, after the last test of the file. */
export function afterwards(cleanup: () => Promise<void>): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(cleanup);
  else onTestFinished(cleanup);
}
