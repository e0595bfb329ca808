import type { Failure } from '../../gateway/failure.ts';
import { claimUnseen } from '../../gateway/desk-calls.ts';
import { useOnce } from '../../query/use-once.ts';
import { readAgain, setRead } from '../../query/use-read.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { useMyProfile } from '../parts/my-profile.ts';

interface UnseenCaseProps {
  uuid: string;
  /** Why it could not be read. */
  failure: Failure;
  again: () => void;
  /** Whether the page shows it as it was read before. */
  wasSeen?: boolean;
}

/**
 * A case that could not be read. The message to physicians on call leads here, also to emergencies outside of their lanes,
 * which they see once they have taken them.
 */
export function UnseenCase({ uuid, failure, again, wasSeen = false }: UnseenCaseProps) {
  const { case: words } = deskTexts.value;
  const isOnCall = useMyProfile().value?.capabilities?.includes('on_call') ?? false;
  const work = useOnce();
  const take = () =>
    work.run(
      () => claimUnseen(uuid),
      (taken) => {
        setRead(['case', uuid], taken);
        readAgain(['desk']);
      },
    );
  return (
    <>
      {!wasSeen && <PageTitle about={`unseen ${uuid}`}>{words.title}</PageTitle>}
      {wasSeen && work.failure === undefined ? (
        <FailureNotice failure={failure} text={words.gone} onRetry={again} />
      ) : (
        <DeskFailure failure={work.failure ?? failure} onRetry={again} />
      )}
      {isOnCall && failure.reason === 'case_not_found' && (
        <>
          <p>{words.onCall}</p>
          <div class="case-actions">
            <button type="button" aria-busy={work.busy} onClick={() => void take()}>
              {words.claim}
            </button>
          </div>
        </>
      )}
    </>
  );
}
