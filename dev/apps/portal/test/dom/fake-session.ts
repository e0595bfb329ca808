import { signal } from '@preact/signals';
import type { User } from '../../../../packages/client/src/index.ts';
import type { Session } from '../../src/session/session.ts';

// Stands for session/session.ts, without calls and without the address bar.
export const session = signal<Session>({ state: 'signed-out', lost: false });

const removals: ((except?: User) => void)[] = [];
export const onUserGone = (remove: (typeof removals)[number]) => void removals.push(remove);

export const loseSession = () => void (session.value = { state: 'signed-out', lost: true });

export function signIn(uuid: string): void {
  const user = { uuid } as User;
  removals.forEach((remove) => remove(user));
  session.value = { state: 'signed-in', user };
}

export function signOut(): void {
  removals.forEach((remove) => remove());
  session.value = { state: 'signed-out', lost: false };
}
