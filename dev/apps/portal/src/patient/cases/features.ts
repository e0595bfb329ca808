import { effect, signal } from '@preact/signals';
import { mayCasesBeSent } from '../../gateway/case-calls.ts';
import { session } from '../../session/session.ts';
import { forgetCases } from './shown-cases.ts';

/** Whether the clinic takes cases here; false until that is known. */
export const takesCases = signal(false);

/** Asks at each sign-in; nothing of a case outlives the session. */
export function watchFeatures(): void {
  effect(() => {
    if (session.value.state !== 'signed-in') {
      takesCases.value = false;
      forgetCases();
    } else void mayCasesBeSent().then((may) => (takesCases.value = may));
  });
}
