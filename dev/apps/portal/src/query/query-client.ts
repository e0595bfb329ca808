import { QueryClient } from '@tanstack/preact-query';
import type { Failure } from '../gateway/failure.ts';

/** Milliseconds. A page that is opened again shows what was read and reads again in the background. */
const FRESH_FOR = 5_000;

/** Why a read failed, as an error: the query cache knows failures only as thrown. */
export class FailedRead extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** What was read from the gateway, for all pages; `removeReads` empties it between two users. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_FOR,
      // The typed client repeats what is safe to repeat.
      retry: false,
      // Offline is a failure that a page shows, not a pause that it cannot explain.
      networkMode: 'always',
    },
  },
});

/** Nothing that one user has read may be shown to the next. */
export function removeReads(): void {
  void queryClient.cancelQueries();
  queryClient.clear();
}
