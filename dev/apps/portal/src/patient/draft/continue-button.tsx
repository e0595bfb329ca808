import type { MobileCase } from 'dermagate-client';
import { texts } from '../../i18n/language.ts';
import { useOnce } from '../../query/use-once.ts';
import { onThisPage } from '../../session/on-this-page.ts';
import { go } from '../../session/route.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { continueDraft, isAnswered } from './continue-draft.ts';
import { ReplaceNotice } from './replace-notice.tsx';
import { isHereOnly, storeFirst } from './stored-first.ts';

interface ContinueButtonProps {
  shown: MobileCase;
  intake: IntakeSession;
  label: string;
}

/** Goes on with a case in this tab. Other answers that are in this tab only are stored first; where that fails, it asks. */
export function ContinueButton({ shown, intake, label }: ContinueButtonProps) {
  const { busy, failure, run } = useOnce();
  const proceed = () => continueDraft(shown, intake);
  const start = () => {
    if (!isHereOnly(intake) || isAnswered(shown, intake)) return proceed();
    void run(
      () => storeFirst(intake),
      // What was stored may be this draft, which is then newer here than shown.
      onThisPage(() => (intake.intake.value.case?.uuid === shown.uuid ? go('/intake') : proceed())),
    );
  };
  return (
    <>
      {failure !== undefined && (
        <ReplaceNotice failure={failure} label={texts.value.folder.replaceHere} onReplace={proceed} />
      )}
      <button type="button" aria-busy={busy} onClick={start}>
        {label}
      </button>
    </>
  );
}
