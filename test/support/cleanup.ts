import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

const sharing = new AsyncLocalStorage<true>();

/**
 * Makes something that serves all test files of this worker process: no file cleans it up. Processes and folders go
 * with the worker, databases and blob containers with the run.
 */
export function shared<T>(make: () => Promise<T>): Promise<T> {
  return sharing.run(true, make);
}

/** The same, made by its first call; after one that failed, by the next. */
export function sharedOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= shared(make).catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** Whether the caller is a test file, not one of its tests and not `shared`. */
export const isFileScope = (): boolean =>
  TestRunner.getCurrentTest() === undefined && sharing.getStore() === undefined;

/** Runs `cleanup` when the running test ends, or, called outside a test, after the last test of the file. */
export function afterwards(cleanup: () => Promise<void>): void {
  if (sharing.getStore() === true) return;
  if (TestRunner.getCurrentTest() === undefined) afterAll(cleanup);
  else onTestFinished(cleanup);
}
