import { useState } from 'preact/hooks';
import type { Outcome } from '../gateway/attempt.ts';
import { useOnce } from '../query/use-once.ts';

interface VersionedOptions<Entity, Draft> {
  /** As it was read. */
  entity: Entity;
  toDraft: (entity: Entity) => Draft;
  read: () => Promise<Outcome<Entity>>;
  /**
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
export function useVersioned<Entity, Draft>(options: VersionedOptions<Entity, Draft>) {
  const { entity, toDraft, read, write, onSaved } = options;
  const [base, setBase] = useState(entity);
  const [draft, setDraft] = useState(() => toDraft(entity));
  const [isSaved, setSaved] = useState(false);
  const { busy, failure, run, show } = useOnce();

  function took(current: Entity) {
    setBase(current);
    setDraft(toDraft(current));
    onSaved(current);
  }

  const save = () =>
    run(
      () => write(draft, base, base),
      (current) => {
        took(current);
        setSaved(true);
      },
    );

  return {
    draft,
    base,
    busy,
    failure,
    isSaved,
    show,
    save,
    change: (change: Partial<Draft>) => {
      setSaved(false);
      setDraft((before) => ({ ...before, ...change }));
    },
    /** Gives the entries up. */
    takeTheirs: () => run(read, took),
    /** Saves the entries over what the other has saved. */
    keepMine: () =>
      run(
        async () => {
          const current = await read();
          return current.ok ? await write(draft, current.value, base) : current;
        },
        (current) => {
          took(current);
          setSaved(true);
        },
      ),
  };
}
