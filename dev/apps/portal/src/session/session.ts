import { signal } from '@preact/signals';
import type { User } from 'dermagate-client';
import type { Outcome } from '../gateway/attempt.ts';
import type { Failure } from '../gateway/failure.ts';
import {
  acceptInvitation,
  dermagate,
  isSignedIn,
  logIn,
  onSessionLost,
  registerPatient,
  whoAmI,
} from '../gateway/gateway.ts';
import { removeIntakes } from '../intake/intake-storage.ts';
import { go } from './route.ts';

export type Session =
  | { state: 'opening' }
  | { state: 'unreachable'; failure: Failure }
  | { state: 'signed-out'; lost: boolean }
  | { state: 'signed-in'; user: User };

export const session = signal<Session>({ state: 'opening' });

/** Runs at the start of the page and after every sign-in. */
export async function openSession(): Promise<void> {
  if (!(await isSignedIn())) {
    session.value = { state: 'signed-out', lost: false };
    return;
  }
  const me = await whoAmI();
  if (me.ok) {
    const { user } = me.value;
    removeIntakes({ except: user.uuid });
    session.value = { state: 'signed-in', user };
  } else if (!me.failure.signedOut) session.value = { state: 'unreachable', failure: me.failure };
}

async function enter(attempt: Promise<Outcome<unknown>>): Promise<Failure | undefined> {
  const entered = await attempt;
  if (!entered.ok) return entered.failure;
  await openSession();
  return undefined;
}

export const signIn = (email: string, password: string) => enter(logIn(email, password));
export const register = (email: string, password: string) => enter(registerPatient(email, password));
export const redeem = (invitation: string, password: string) => enter(acceptInvitation(invitation, password));

/** Notifies the other tabs of this origin of a sign-out. */
const signOuts = new BroadcastChannel('dermagate.signed-out');

/** Removes everything of this user from this device immediately; the gateway ends the session when it can be reached. */
export function signOut(): void {
  leave();
  // Without a reply the tokens are removed here all the same and expire at the gateway.
  void dermagate.logOut().catch(() => {});
  signOuts.postMessage(null);
}

function leave(): void {
  removeIntakes({});
  session.value = { state: 'signed-out', lost: false };
  go('/');
}

/** Shows the sign-in page; the stored answers stay. */
export function loseSession(): void {
  if (session.value.state !== 'signed-out') session.value = { state: 'signed-out', lost: true };
}

/** Reacts to a refused refresh and to a sign-out in another tab. */
export function watchSession(): void {
  onSessionLost(loseSession);
  signOuts.addEventListener('message', leave);
}
