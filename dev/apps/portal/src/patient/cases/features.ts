import { computed, effect, signal, untracked } from '@preact/signals';
import { mayCasesBeSent } from '../../gateway/case-calls.ts';
import type { Failure } from '../../gateway/failure.ts';
import { askUntilKnown } from '../../query/ask-until-known.ts';
import { session } from '../../session/session.ts';

/** Undefined until the gateway has answered: a failed call must not look like a clinic that takes no cases. */
const answer = signal<boolean>();
const failed = signal<Failure>();

/** Whether the clinic takes cases here; false until that is known. */
export const takesCases = computed(() => answer.value === true);

/** Why it is not known whether the clinic takes cases; undefined before the first reply, and once it is known. */
export const casesFailure = computed(() => (answer.value === undefined ? failed.value : undefined));

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
    return user === undefined ? undefined : untracked(askFeatures);
  });
}

/** @returns a function that ends it. */
function askFeatures(): () => void {
  const { again, stop } = askUntilKnown(mayCasesBeSent, {
    onValue: (may) => void (answer.value = may),
    onFailure: (failure) => void (failed.value = failure),
  });
  askNow = again;
  return stop;
}
