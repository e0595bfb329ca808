import { useEffect } from 'preact/hooks';
import { noteDraft } from '../cases/own-cases.ts';
import { takesCases } from '../cases/features.ts';
import { createCase, listProfiles, readCase, updateCase } from '../../gateway/case-calls.ts';
import { language } from '../../i18n/language.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { beforeSignOut } from '../../session/session.ts';
import { draftSaver } from './current-draft.ts';
import { saveDrafts } from './draft-saver.ts';

/** Stores the intake as a draft for as long as the page is open, and once more before a sign-out. */
export function useDraftSaver(intake: IntakeSession): void {
  const takes = takesCases.value;
  useEffect(() => {
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
    return () => {
      forget();
      saver.stop();
      draftSaver.value = undefined;
    };
  }, [intake, takes]);
}
