import type { Outcome } from '../gateway/attempt.ts';
import { type Failure, unexpected } from '../gateway/failure.ts';

/** Milliseconds between two attempts; each wait is twice the one before. */
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 60_000;

interface Asking {
  /** Asks now what is asked again anyway, later. */
  again: () => void;
  stop: () => void;
}

/** Asks until there is an answer: sooner where the network or the user comes back, and never before the gateway allows it. */
export function askUntilKnown<Value>(
  call: () => Promise<Outcome<Value>>,
  { onValue, onFailure }: { onValue: (value: Value) => void; onFailure?: (failure: Failure) => void },
): Asking {
  let isOver = false;
  let isAsking = false;
  let wait = FIRST_WAIT;
  let notBefore = 0;
  let timer: ReturnType<typeof setTimeout>;

  async function ask(): Promise<void> {
    if (isOver || isAsking || Date.now() < notBefore) return;
    isAsking = true;
    clearTimeout(timer);
    const answer = await call().catch(() => ({ ok: false, failure: unexpected }) as const);
    isAsking = false;
    if (isOver) return;
    if (answer.ok) {
      onValue(answer.value);
      return stop();
    }
    onFailure?.(answer.failure);
    const least = (answer.failure.retryAfter ?? 0) * 1000;
    notBefore = Date.now() + least;
    timer = setTimeout(again, Math.max(wait, least));
    wait = Math.min(2 * wait, LONGEST_WAIT);
  }

  const again = () => void ask();
  const onVisible = () => document.visibilityState === 'visible' && again();
  document.addEventListener('visibilitychange', onVisible);
  addEventListener('online', again);

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
    removeEventListener('online', again);
  }

  again();
  return { again, stop };
}
