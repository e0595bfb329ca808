import { useEffect } from 'preact/hooks';
import type { Outcome } from '../gateway/attempt.ts';
import { useOnce } from '../query/use-once.ts';
import { useEntries } from '../session/use-entries.ts';
import { changedEntries, isSame } from './changed-entries.ts';

interface VersionedOptions<Entity, Draft> {
  /** What the form is about, such as `group` and its UUID. */
  about: string;
  /** As it was read; a newer one is taken in while nothing was entered. */
  entity: Entity;
  toDraft: (entity: Entity) => Draft;
  read: () => Promise<Outcome<Entity>>;
  /**
   * Sends only what differs from `base`, so that nothing of what another has saved is put back.
   * @param entity whose version is sent.
   * @param base from which the draft began; differs from `entity` where the person saves over what another has saved.
   * @returns what the gateway has now.
   */
  write: (draft: Draft, entity: Entity, base: Entity) => Promise<Outcome<Entity>>;
  onSaved: (entity: Entity) => void;
}

/**
 * A form about something that others change too. A save names the version that was read; where that is no longer the
 * current one, the entries stay, and the person decides.
 */
export function useVersioned<Entity extends { version: number }, Draft extends object>(
  options: VersionedOptions<Entity, Draft>,
) {
  const { about, entity, toDraft, read, write, onSaved } = options;
  const begin = (base: Entity) => ({ base, draft: toDraft(base), isSaved: false });
  const [{ base, draft, isSaved }, set] = useEntries(about, () => begin(entity));
  const { busy, failure, run, show } = useOnce();

  useEffect(() => {
    set((now) => {
      const isNewer = entity.version > now.base.version;
      return isNewer && isSame(now.draft, toDraft(now.base)) ? begin(entity) : now;
    });
  }, [entity]);

  /** What was entered since `sent` stays, and is not saved yet. */
  const take =
    (sent: Draft, { isSave }: { isSave: boolean }) =>
    (current: Entity) => {
      const stored = toDraft(current);
      set((now) => {
        const entries = { ...stored, ...changedEntries(now.draft, sent) };
        return { base: current, draft: entries, isSaved: isSave && isSame(entries, stored) };
      });
      onSaved(current);
    };

  return {
    draft,
    base,
    busy,
    failure,
    isSaved,
    show,
    save: () => run(() => write(draft, base, base), take(draft, { isSave: true })),
    change: (change: Partial<Draft>) =>
      set((now) => ({ ...now, draft: { ...now.draft, ...change }, isSaved: false })),
    /** Gives the entries up. */
    takeTheirs: () => run(read, take(draft, { isSave: false })),
    /** Saves the entries over what the other has saved. */
    keepMine: () =>
      run(
        async () => {
          const current = await read();
          return current.ok ? await write(draft, current.value, base) : current;
        },
        take(draft, { isSave: true }),
      ),
  };
}
