import type { Failure } from '../../gateway/failure.ts';
import { texts } from '../../i18n/language.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { notStorable } from './stored-first.ts';

interface ReplaceNoticeProps {
  failure: Failure;
  label: string;
  onReplace: () => void;
}

/** Why the answers in this tab are not stored, and the choice to replace them all the same. */
export function ReplaceNotice({ failure, label, onReplace }: ReplaceNoticeProps) {
  const { folder, intake } = texts.value;
  return (
    <>
      {failure === notStorable ? (
        <FailureNotice failure={failure} text={folder.unsaved} />
      ) : (
        <FailureNotice failure={failure} note={intake.answersSafe} />
      )}
      <button type="button" class="secondary outline" onClick={onReplace}>
        {label}
      </button>
    </>
  );
}
