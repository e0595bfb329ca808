import { dateAndTime } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { go } from '../../session/route.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { WarningIcon } from '../../ui/icons.tsx';
import { continueDraft } from './continue-draft.ts';
import { draftSaver } from './current-draft.ts';
import type { DraftSaver, DraftState } from './draft-saver.ts';

/** Whether the answers are stored at the clinic, and what to do where another device has other ones. */
export function DraftNote({ intake }: { intake: IntakeSession }) {
  const { folder } = texts.value;
  const saver = draftSaver.value;
  const { steps, case: known } = intake.intake.value;
  if (saver === undefined || steps.length === 0 || known?.held === true || known?.sent === true) return null;
  const now = saver.state.value;
  switch (now.state) {
    case 'conflict':
      return <Conflict theirs={now.theirs} saver={saver} intake={intake} />;
    case 'failed':
      return <FailureNotice failure={now.failure} note={folder.unsaved} onRetry={() => void saver.flush()} />;
    case 'person-missing':
      return (
        <p class="small draft-state" role="status">
          {known?.stored === true ? folder.saved : folder.unsaved}
        </p>
      );
    case 'storing':
    case 'stored': {
      const isStored = now.state === 'stored' && known?.stored === true;
      return (
        <p class="small draft-state" role="status">
          {isStored ? folder.saved : folder.saving}
        </p>
      );
    }
  }
}

interface ConflictProps {
  theirs: Extract<DraftState, { state: 'conflict' }>['theirs'];
  saver: DraftSaver;
  intake: IntakeSession;
}

/** Two devices have gone on with one draft: the patient chooses, and neither choice loses an answer. */
function Conflict({ theirs, saver, intake }: ConflictProps) {
  const { folder } = texts.value;
  const isDraft = theirs.patient_status === 'draft';
  const date = dateAndTime(new Date(theirs.updated_at));
  return (
    <div class="notice warning" role="alert">
      <WarningIcon />
      <div>
        <p>
          <strong>{folder.conflictTitle}</strong>
        </p>
        <p>{isDraft ? fill(folder.conflictLead, { date }) : folder.conflictSent}</p>
        <div class="actions">
          <button type="button" class="secondary outline" onClick={saver.keepSeparately}>
            {folder.conflictKeep}
          </button>
          {isDraft ? (
            <button type="button" class="outline" onClick={() => continueDraft(theirs, intake)}>
              {folder.conflictTake}
            </button>
          ) : (
            <button type="button" class="outline" onClick={() => go(`/cases/${theirs.uuid}`)}>
              {folder.conflictShow}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}
