import type { CaseDetail, ReleaseReason, ReopenReason } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { moveCase, releaseCase, reopenCase } from '../../gateway/desk-calls.ts';
import { texts } from '../../i18n/language.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { useKeys } from '../keys/use-keys.ts';
import { Modal } from '../parts/modal.tsx';
import { useCaseWork } from '../parts/use-case-work.ts';
import { HoldDialog } from './hold-dialog.tsx';
import { useLeaving } from './use-leaving.ts';

interface ActionsProps {
  shown: CaseDetail;
  /** The case as it is after the action. */
  onChanged: (after: CaseDetail) => void;
  /** It is no longer the reader's. */
  onGone: () => void;
  /** What to do before the case leaves one's hand; false where that would lose something. */
  before: () => Promise<boolean>;
}

const releaseReasons: readonly ReleaseReason[] = [
  'not_my_field',
  'too_complex',
  'conflict_of_interest',
  'technical',
  'end_of_shift',
  'other',
];
const reopenReasons: readonly ReopenReason[] = [
  'new_information',
  'wrong_diagnosis',
  'patient_question',
  'quality_review',
  'other',
];

/** What can be done with the case besides answering it: the actions that the gateway allows now. */
export function CaseActions({ shown, onChanged, onGone, before }: ActionsProps) {
  const { case: words, answer } = deskTexts.value;
  const [dialog, setDialog] = useState<'hold' | 'release' | 'reopen'>();
  const work = useCaseWork(shown.uuid);
  const may = (action: string) => shown.allowed_actions.includes(action);
  const close = () => setDialog(undefined);
  const hold = () => may('hold') && setDialog('hold');
  useKeys(may('hold') ? [{ press: 'h', label: answer.keys.hold, run: hold }] : []);
  const move = (action: 'claim' | 'resume') => void work.run(() => moveCase(action, shown), onChanged);
  return (
    <>
      <div class="case-actions">
        {(['claim', 'resume'] as const).map(
          (action) =>
            may(action) && (
              <button key={action} type="button" aria-busy={work.busy} onClick={() => move(action)}>
                {words[action]}
              </button>
            ),
        )}
        {may('hold') && (
          <button type="button" class="secondary outline" title={`${answer.keys.hold} (h)`} onClick={hold}>
            {words.hold}
          </button>
        )}
        {may('release') && (
          <button type="button" class="secondary outline" onClick={() => setDialog('release')}>
            {words.release}
          </button>
        )}
        {may('reopen') && (
          <button type="button" class="secondary outline" onClick={() => setDialog('reopen')}>
            {words.reopen}
          </button>
        )}
      </div>
      {/* The page itself names that case as one that cannot be seen any more. */}
      {work.failure !== undefined && work.failure.reason !== 'case_not_found' && (
        <DeskFailure failure={work.failure} />
      )}
      {dialog === 'hold' && <HoldDialog shown={shown} before={before} onDone={onChanged} onClose={close} />}
      {dialog === 'release' && (
        <ReasonDialog
          uuid={shown.uuid}
          title={words.releaseTitle}
          lead={words.releaseLead}
          reasons={releaseReasons}
          wordOf={(reason) => words.releaseReasons[reason]}
          before={before}
          call={(reason) => releaseCase(shown, reason)}
          action={words.release}
          onDone={onGone}
          onClose={close}
        />
      )}
      {dialog === 'reopen' && (
        <ReasonDialog
          uuid={shown.uuid}
          title={words.reopenTitle}
          reasons={reopenReasons}
          wordOf={(reason) => words.reopenReasons[reason]}
          call={(reason) => reopenCase(shown, reason)}
          action={words.reopen}
          onDone={onChanged}
          onClose={close}
        />
      )}
    </>
  );
}

const loseNothing = () => Promise.resolve(true);

interface ReasonDialogProps<Reason extends string> {
  /** Of the case. */
  uuid: string;
  title: string;
  lead?: string;
  reasons: readonly Reason[];
  wordOf: (reason: Reason) => string;
  action: string;
  before?: () => Promise<boolean>;
  call: (reason: Reason) => ReturnType<typeof moveCase>;
  onDone: (after: CaseDetail) => void;
  onClose: () => void;
}

function ReasonDialog<Reason extends string>(props: ReasonDialogProps<Reason>) {
  const { uuid, title, lead, reasons, wordOf, action, before = loseNothing, call, onDone, onClose } = props;
  const [reason, setReason] = useState<Reason>();
  const leave = useLeaving(before);
  const work = useCaseWork(uuid);
  const submit = (event: Event) => {
    event.preventDefault();
    if (reason === undefined) return;
    void work.run(
      () => leave(() => call(reason)),
      (after) => {
        onClose();
        onDone(after);
      },
    );
  };
  return (
    <Modal title={title} onClose={onClose}>
      {lead !== undefined && <p>{lead}</p>}
      <form onSubmit={submit}>
        <fieldset>
          {reasons.map((each) => (
            <label key={each} class="inline">
              <input
                type="radio"
                name="reason"
                required
                checked={reason === each}
                onChange={() => setReason(each)}
              />
              {wordOf(each)}
            </label>
          ))}
        </fieldset>
        {work.failure !== undefined && <DeskFailure failure={work.failure} />}
        <div class="actions">
          <button type="button" class="secondary outline" onClick={onClose}>
            {texts.value.common.cancel}
          </button>
          <button type="submit" aria-busy={work.busy}>
            {action}
          </button>
        </div>
      </form>
    </Modal>
  );
}
