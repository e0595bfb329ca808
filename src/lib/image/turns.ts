/** Jobs that wait, to be taken in turn: one of each caller. */
export interface Turns<Job> {
  add(caller: string, job: Job): void;
  remove(caller: string, job: Job): void;
  /** The oldest job of the first caller that `mayRun`; it goes on waiting. */
  peek(mayRun: (caller: string) => boolean): { caller: string; job: Job } | undefined;
  /** A caller who has been served comes after all others who wait. */
  served(caller: string): void;
  waitingOf(caller: string): readonly Job[];
  size(): number;
  all(): Job[];
}

export function createTurns<Job>(): Turns<Job> {
  // In the order of the next turns: a map lists its keys as they were added.
  const waiting = new Map<string, Job[]>();

  return {
    add(caller, job) {
      waiting.set(caller, [...(waiting.get(caller) ?? []), job]);
    },
    remove(caller, job) {
      const left = (waiting.get(caller) ?? []).filter((other) => other !== job);
      if (left.length > 0) waiting.set(caller, left);
      else waiting.delete(caller);
    },
    peek(mayRun) {
      for (const [caller, [job]] of waiting) {
        if (job !== undefined && mayRun(caller)) return { caller, job };
      }
      return undefined;
    },
    served(caller) {
      const jobs = waiting.get(caller);
      if (jobs === undefined) return;
      waiting.delete(caller);
      waiting.set(caller, jobs);
    },
    waitingOf: (caller) => waiting.get(caller) ?? [],
    size: () => [...waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0),
    all: () => [...waiting.values()].flat(),
  };
}
