import { computed, effect, signal, untracked } from '@preact/signals';
import { mayCasesBeSent } from '../../gateway/case-calls.ts';
import { type Failure, unexpected } from '../../gateway/failure.ts';
import { session } from '../../session/session.ts';

/** Undefined until the gateway has answered: a failed call must not look like a clinic that takes no cases. */
const answer = signal<boolean>();
const failed = signal<Failure>();

/** Whether the clinic takes cases here; false until that is known. */
export const takesCases = computed(() => answer.value === true);

/** Why it is not known whether the clinic takes cases; undefined before the first reply, and once it is known. */
export const casesFailure = computed(() => (answer.value === undefined ? failed.value : undefined));

/** Milliseconds between two attempts; each wait is twice the one before. */
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 60_000;

let askNow: (() => void) | undefined;

/** Asks now what is asked again anyway, later. */
export const askFeaturesAgain = (): void => askNow?.();

/** Asks at each sign-in, until there is an answer. */
export function watchFeatures(): void {
  let owner: string | undefined;
  effect(() => {
    const now = session.value;
    const user = now.state === 'signed-in' ? now.user.uuid : undefined;
    if (user !== owner) answer.value = failed.value = undefined;
    owner = user;
    return user === undefined ? undefined : untracked(askUntilKnown);
  });
}

/** @returns a function that ends it. */
function askUntilKnown(): () => void {
  let isOver = false;
  let isAsking = false;
  let wait = FIRST_WAIT;
  let notBefore = 0;
  let timer: ReturnType<typeof setTimeout>;

  async function ask(): Promise<void> {
    if (isOver || isAsking || Date.now() < notBefore) return;
    isAsking = true;
    clearTimeout(timer);
    const may = await mayCasesBeSent().catch(() => ({ ok: false, failure: unexpected }) as const);
    isAsking = false;
    if (isOver) return;
    if (may.ok) {
      answer.value = may.value;
      return stop();
    }
    failed.value = may.failure;
    const least = (may.failure.retryAfter ?? 0) * 1000;
    notBefore = Date.now() + least;
    timer = setTimeout(again, Math.max(wait, least));
    wait = Math.min(2 * wait, LONGEST_WAIT);
  }

  const again = (askNow = () => void ask());
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
  return stop;
}
