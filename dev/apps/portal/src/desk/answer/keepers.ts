import type { CaseDetail } from 'dermagate-client';
import { createAnswer, readStaffCase, saveAnswer, signAnswer } from '../../gateway/desk-calls.ts';
import { beforeSignOut, onUserGone, session } from '../../session/session.ts';
import { draftAmong, DraftKeeper } from './draft-keeper.ts';

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

beforeSignOut(async () => {
  await Promise.all([...keepers.values()].map(({ keeper }) => keeper.flush()));
});

/** The keeper of the draft of this case, made where there is none. */
export function keeperOf(shown: CaseDetail): DraftKeeper {
  const { uuid, language } = shown;
  const known = keepers.get(uuid);
  if (known !== undefined) return known.keeper;
  const made = new DraftKeeper(draftAmong(shown.annotations), language, {
    create: (body, key) => createAnswer(uuid, body, key),
    save: (body, version) => saveAnswer(uuid, body, version),
    sign: (body, versions) => signAnswer(uuid, body, versions),
    read: async () => {
      const read = await readStaffCase(uuid, new AbortController().signal);
      return read.ok ? { ok: true, value: read.value.annotations } : read;
    },
  });
  const now = session.peek();
  keepers.set(uuid, { keeper: made, owner: now.state === 'signed-in' ? now.user.uuid : undefined });
  return made;
}

/** After a signature or an undo the next keeper starts from what is stored. */
export const forgetKeeper = (uuid: string): void => void keepers.delete(uuid);

/** The case is no longer answered here: when it is again, it may be another draft. What is not saved stays. */
export function forgetSaved(uuid: string): void {
  if (keepers.get(uuid)?.keeper.isUnsaved === false) keepers.delete(uuid);
}

/** Whether what is here differs from what was signed elsewhere, or was signed and its page has still to show that. */
export const isUnsettled = (uuid: string): boolean =>
  ['conflict', 'signed'].includes(keepers.get(uuid)?.keeper.state.value.kind ?? '');

export const hasUnsaved = (): boolean => [...keepers.values()].some(({ keeper }) => keeper.isUnsaved);
