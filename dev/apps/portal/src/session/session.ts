import { effect, signal } from '@preact/signals';
import type { User } from 'dermagate-client';
import { endAllSessions } from '../gateway/account-calls.ts';
import type { Outcome } from '../gateway/attempt.ts';
import { type Failure, unexpected } from '../gateway/failure.ts';
import {
  acceptInvitation,
  callOnlyAs,
  dermagate,
  isSignedIn,
  logIn,
  onSessionLost,
  registerPatient,
  whoAmI,
} from '../gateway/gateway.ts';
import { go } from './route.ts';

export type Session =
  | { state: 'opening' }
  | { state: 'unreachable'; failure: Failure }
  /** `role`: whose session was lost, where the portal has shown it. */
  | { state: 'signed-out'; lost: boolean; role?: User['role'] }
  | { state: 'signed-in'; user: User };

export const session = signal<Session>({ state: 'opening' });
effect(() => callOnlyAs(session.value.state === 'signed-in' ? session.value.user.uuid : undefined));

type Removal = (except?: User) => void;
const removals = new Set<Removal>();
const removeOthers: Removal = (except) => removals.forEach((remove) => remove(except));

/**
 * Registers what removes everything that is here of all users, or of all but one: nothing of one reaches the next.
 * @returns a function that removes it.
 */
export function onUserGone(remove: Removal): () => void {
  removals.add(remove);
  return () => void removals.delete(remove);
}

/** Milliseconds that a sign-out waits for answers to be stored. */
const LAST_CALLS = 2000;
const lastCalls = new Set<() => Promise<void>>();

/**
 * Registers what stores unstored entries before the session ends.
 * @returns a function that removes it.
 */
export function beforeSignOut(call: () => Promise<void>): () => void {
  lastCalls.add(call);
  return () => void lastCalls.delete(call);
}

/** Runs at the start of the page and after every sign-in. */
export async function openSession(): Promise<void> {
  const me = await findUser().catch(() => ({ ok: false, failure: unexpected }) as const);
  if (me === undefined) {
    session.value = { state: 'signed-out', lost: false };
  } else if (me.ok) {
    const { user } = me.value;
    removeOthers(user);
    session.value = { state: 'signed-in', user };
  } else if (!me.failure.signedOut) session.value = { state: 'unreachable', failure: me.failure };
}

/**
 * The user of the stored tokens; undefined without any.
 * @throws when the browser does not let the portal read what it has stored.
 */
const findUser = async () => ((await isSignedIn()) ? await whoAmI() : undefined);

async function enter(attempt: Promise<Outcome<unknown>>): Promise<Failure | undefined> {
  const entered = await attempt;
  if (!entered.ok) return entered.failure;
  await openSession();
  return undefined;
}

export const signIn = (email: string, password: string) => enter(logIn(email, password));
export const register = (email: string, password: string) => enter(registerPatient(email, password));
export const redeem = (invitation: string, password: string) => enter(acceptInvitation(invitation, password));

async function storeUnstored(): Promise<void> {
  if (lastCalls.size === 0) return;
  const timeout = new Promise((resolve) => setTimeout(resolve, LAST_CALLS));
  await Promise.race([Promise.allSettled([...lastCalls].map((call) => call())), timeout]);
}

/**
 * Whether there is no one to sign out any more: another press was faster, or another user has come. Of a session that has ended
 * by itself everything is still to be removed.
 */
function hasLeft(leaver: Session): boolean {
  const now = session.value;
  return now !== leaver && !(now.state === 'signed-out' && now.lost);
}

/** Removes everything of this user from this device; the gateway ends the session when it can be reached. */
export async function signOut(): Promise<void> {
  const leaver = session.value;
  await storeUnstored();
  if (hasLeft(leaver)) return;
  // Begun while this user is shown: another one, who has just signed in elsewhere, stays signed in. Without a reply the tokens
  // are removed here all the same and expire at the gateway.
  void dermagate.session.logOut().catch(() => {});
  leave();
}

/** The same, once the gateway has ended the sessions of this user on every device; without them nothing could be stored. */
export async function signOutEverywhere(): Promise<Outcome<void>> {
  const leaver = session.value;
  await storeUnstored();
  if (hasLeft(leaver)) return { ok: true, value: undefined };
  const ended = await endAllSessions();
  if (ended.ok) leave();
  return ended;
}

function leave(): void {
  removeOthers();
  session.value = { state: 'signed-out', lost: false };
  go('/');
}

/** Shows the sign-in page; the stored answers stay. */
export function loseSession(): void {
  const before = session.value;
  if (before.state === 'signed-out') return;
  session.value = {
    state: 'signed-out',
    lost: true,
    ...(before.state === 'signed-in' && { role: before.user.role }),
  };
}

/** Reacts to the end of the session, and to what another tab does with it. */
export function watchSession(): void {
  onSessionLost(loseSession);
  dermagate.session.onChange((change, { elsewhere }) => {
    if (change === 'ended' || change === 'replaced') loseSession();
    else if (change === 'signed-in' && elsewhere && session.value.state === 'signed-out') void openSession();
    else if (change === 'signed-out' && elsewhere) leave();
    else if (change === 'other-user' && elsewhere) {
      leave();
      void openSession();
    } else if (change === 'other-user') {
      // By an invitation that was opened here: `enter` opens the session.
      removeOthers();
      callOnlyAs(undefined);
    }
  });
}
