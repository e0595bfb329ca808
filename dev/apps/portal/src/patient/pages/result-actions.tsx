import { takesCases } from '../cases/features.ts';
import { ReplaceNotice } from '../draft/replace-notice.tsx';
import { storeFirst } from '../draft/stored-first.ts';
import { texts } from '../../i18n/language.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { useOnce } from '../../query/use-once.ts';
import { onThisPage } from '../../session/on-this-page.ts';
import { go } from '../../session/route.ts';

/** What can be done with a result. Where drafts are stored at the clinic a new start leaves the answers among them. */
export function ResultActions({ intake, canReview }: { intake: IntakeSession; canReview: boolean }) {
  const { home, result } = texts.value;
  const { busy, failure, run } = useOnce();
  const startAgain = () => {
    intake.apply({ type: 'started-again' });
    go('/');
  };
  const begin = () =>
    takesCases.value ? void run(() => storeFirst(intake), onThisPage(startAgain)) : startAgain();
  return (
    <>
      {failure !== undefined && (
        <ReplaceNotice failure={failure} label={home.startAgain} onReplace={startAgain} />
      )}
      <div class="actions">
        {canReview && (
          <button type="button" class="secondary outline" onClick={() => go('/intake')}>
            {result.changeAnswers}
          </button>
        )}
        <button type="button" class="secondary outline" aria-busy={busy} onClick={begin}>
          {result.again}
        </button>
        <button type="button" onClick={() => print()}>
          {result.print}
        </button>
      </div>
    </>
  );
}
