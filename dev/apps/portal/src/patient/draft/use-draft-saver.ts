import { noteDraft } from '../cases/own-cases.ts';
import { takesCases } from '../cases/features.ts';
import { createCase, listProfiles, readCase, updateCase } from '../../gateway/case-calls.ts';
import { language } from '../../i18n/language.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { beforeSignOut, onUserGone, session } from '../../session/session.ts';
import { useWhileShown } from '../../ui/use-while-shown.ts';
import { draftSaver } from './current-draft.ts';
import { saveDrafts } from './draft-saver.ts';

/**
 * Stores the intake as a draft for as long as the page is open, and once more before a sign-out.
 * @param user UUID of the patient whose intake it is.
 */
export function useDraftSaver(intake: IntakeSession, user: string): void {
  const takes = takesCases.value;
  useWhileShown(() => {
    if (!takes) return;
    const saver = saveDrafts(intake, {
      createCase,
      updateCase,
      readCase: (uuid) => readCase(uuid),
      listProfiles: () => listProfiles(),
      language: () => language.value,
      onStored: noteDraft,
    });
    draftSaver.value = saver;
    const forget = beforeSignOut(saver.flush);
    const leave = onUserGone((except) => except?.uuid !== user && saver.abandon());
    const flush = () => void saver.flush();
    const onHidden = () => document.visibilityState === 'hidden' && flush();
    document.addEventListener('visibilitychange', onHidden);
    addEventListener('online', flush);
    return () => {
      forget();
      document.removeEventListener('visibilitychange', onHidden);
      removeEventListener('online', flush);
      // Another place of the portal; after a sign-out there is no session to store with.
      const flushed = session.peek().state === 'signed-in' ? saver.flush() : undefined;
      // A reply that is still on its way must not be noted for the next user.
      void Promise.allSettled([flushed, saver.stop()]).then(leave);
      draftSaver.value = undefined;
    };
  }, [intake, takes, user]);
}
