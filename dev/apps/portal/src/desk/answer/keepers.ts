import type { CaseDetail, DermatologistAnnotation } from 'dermagate-client';
import { createAnswer, readStaffCase, saveAnswer, signAnswer } from '../../gateway/desk-calls.ts';
import { onUserGone, session } from '../../session/session.ts';
import { DraftKeeper } from './draft-keeper.ts';

/** Drafts outlive their page, so that leaving it loses nothing that could not be saved. */
const keepers = new Map<string, { keeper: DraftKeeper; owner: string | undefined }>();

// A physician whose session has ended may sign in again: what could not be saved meanwhile is only here.
onUserGone((except) => {
  for (const [uuid, { keeper, owner }] of keepers) {
    if (except !== undefined && except.uuid === owner) continue;
    keeper.abandon();
    keepers.delete(uuid);
  }
});

/** The draft among the annotations of a case; only its author can read one. */
export const draftIn = ({
  annotations,
}: Pick<CaseDetail, 'annotations'>): DermatologistAnnotation | undefined =>
  annotations.find(
    (each): each is DermatologistAnnotation => each.kind === 'dermatologist' && each.status === 'draft',
  );

/** The keeper of the draft of this case, made where there is none. */
export function keeperOf(shown: CaseDetail): DraftKeeper {
  const { uuid, language } = shown;
  const known = keepers.get(uuid);
  if (known !== undefined) return known.keeper;
  const made = new DraftKeeper(draftIn(shown), language, {
    create: (body, key) => createAnswer(uuid, body, key),
    save: (body, version) => saveAnswer(uuid, body, version),
    sign: (body, version) => signAnswer(uuid, body, version),
    read: async () => {
      const read = await readStaffCase(uuid, new AbortController().signal);
      return read.ok ? { ok: true, value: draftIn(read.value) } : read;
    },
  });
  const now = session.peek();
  keepers.set(uuid, { keeper: made, owner: now.state === 'signed-in' ? now.user.uuid : undefined });
  return made;
}

/** After a signature or an undo the next keeper starts from what is stored. */
export const forgetKeeper = (uuid: string): void => void keepers.delete(uuid);

export const hasUnsaved = (): boolean => [...keepers.values()].some(({ keeper }) => keeper.isUnsaved);
