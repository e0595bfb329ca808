import { useRef, useState } from 'preact/hooks';
import type { Outcome } from '../gateway/attempt.ts';
import type { Failure } from '../gateway/failure.ts';

export interface Work {
  busy: boolean;
  failure: Failure | undefined;
  /** Does nothing while it is busy: of two clicks the second is ignored. */
  run: <Value>(call: () => Promise<Outcome<Value>>, done: (value: Value) => void) => Promise<void>;
  /** Shows a failure that was found without a call, or none. */
  show: (failure: Failure | undefined) => void;
}

/** One call at a time, and why the last one failed. */
export function useOnce(): Work {
  const isRunning = useRef(false);
  const [busy, setBusy] = useState(false);
  const [failure, show] = useState<Failure>();
  async function run<Value>(call: () => Promise<Outcome<Value>>, done: (value: Value) => void) {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    show(undefined);
    const outcome = await settle(call);
    if (outcome.ok) done(outcome.value);
    else show(outcome.failure);
  }
  async function settle<Value>(call: () => Promise<Outcome<Value>>) {
    try {
      return await call();
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }
  return { busy, failure, run, show };
}
