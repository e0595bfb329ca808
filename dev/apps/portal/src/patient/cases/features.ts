import { effect, signal } from '@preact/signals';
import { mayCasesBeSent } from '../../gateway/case-calls.ts';
import { session } from '../../session/session.ts';

/** Whether the clinic takes cases here; false until that is known. */
export const takesCases = signal(false);

/** Asks at each sign-in. */
export function watchFeatures(): void {
  effect(() => {
    if (session.value.state !== 'signed-in') takesCases.value = false;
    else void mayCasesBeSent().then((may) => (takesCases.value = may));
  });
}
