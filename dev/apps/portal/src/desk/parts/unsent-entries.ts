import { effect, type Signal, signal } from '@preact/signals';
import { onUserGone, session } from '../../session/session.ts';

/**
 * The entries of forms that the gateway stores only when they are sent, by case. They outlive their page and an ended
 * session, so that leaving loses nothing; and while any are changed, the browser asks before the tab closes.
 */
export class UnsentEntries<Entries extends object> {
  readonly #byCase: Signal<ReadonlyMap<string, { entries: Entries; owner: string | undefined }>> = signal(
    new Map(),
  );

  /** @param isChanged whether there is something to lose. */
  constructor(isChanged: (entries: Entries) => boolean) {
    // A physician whose session has ended may sign in again: these entries are only here.
    onUserGone((except) => {
      const stay = [...this.#byCase.peek()].filter(
        ([, { owner }]) => except !== undefined && except.uuid === owner,
      );
      this.#byCase.value = new Map(stay);
    });
    const ask = (event: Event) => event.preventDefault();
    // Only while it is needed: a page with such a listener loads anew when the browser goes back to it.
    effect(() => {
      if (![...this.#byCase.value.values()].some(({ entries }) => isChanged(entries))) return undefined;
      addEventListener('beforeunload', ask);
      return () => removeEventListener('beforeunload', ask);
    });
  }

  /** Those of a case; components that read them re-render on a change. */
  of(uuid: string): Entries | undefined {
    return this.#byCase.value.get(uuid)?.entries;
  }

  set(uuid: string, entries: Entries): void {
    const now = session.peek();
    const owner = now.state === 'signed-in' ? now.user.uuid : undefined;
    this.#byCase.value = new Map(this.#byCase.peek()).set(uuid, { entries, owner });
  }

  /** Changes a part, from `start` where there are none. Events can come faster than a component renders. */
  change(uuid: string, start: Entries, patch: (before: Entries) => Partial<Entries>): void {
    const before = this.#byCase.peek().get(uuid)?.entries ?? start;
    this.set(uuid, { ...before, ...patch(before) });
  }

  /** They are sent or discarded. */
  remove(uuid: string): void {
    const others = [...this.#byCase.peek()].filter(([other]) => other !== uuid);
    this.#byCase.value = new Map(others);
  }
}
