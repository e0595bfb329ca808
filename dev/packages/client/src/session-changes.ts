/**
 * `signed-in`: a login or a registration. `signed-out`: a logout. `other-user`: a login while another user was signed in, whose
 * data must no longer show. `replaced`: another login has ended the session, as the account may have one only. `ended`: the
 * gateway has ended it for another reason, such as its age, a changed password or an admin.
 */
export type SessionChange = 'signed-in' | 'signed-out' | 'other-user' | 'replaced' | 'ended';

/** `elsewhere`: in another tab. */
export type SessionListener = (change: SessionChange, where: { elsewhere: boolean }) => void;

export interface SessionChanges {
  /** Informs the listeners of this tab, and those of the other tabs. */
  notify(change: SessionChange): void;
  onChange(listener: SessionListener): () => void;
}

/** @param name of the BroadcastChannel that connects the tabs; undefined where they do not share tokens. */
export function sessionChanges(name: string | undefined): SessionChanges {
  const listeners = new Set<SessionListener>();
  const inform = (change: SessionChange, elsewhere: boolean) => {
    for (const listener of listeners) listener(change, { elsewhere });
  };
  const isShared = name !== undefined && 'BroadcastChannel' in globalThis;
  const channel = isShared ? new BroadcastChannel(name) : undefined;
  channel?.addEventListener('message', (event) => {
    inform((event as Event & { data: SessionChange }).data, true);
  });
  // In Node it would keep the process alive.
  if (channel !== undefined && 'unref' in channel) (channel.unref as () => void)();
  return {
    notify(change) {
      inform(change, false);
      channel?.postMessage(change);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
