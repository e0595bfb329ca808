import type { CaseDetail, PendingStatus } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { holdCase } from '../../gateway/desk-calls.ts';
import { texts } from '../../i18n/language.ts';
import { unsentOf } from '../../session/unsent.ts';
import { dayAfter } from '../../staff/day-after.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskDictionaries, deskTexts } from '../i18n/texts.ts';
import { Modal } from '../parts/modal.tsx';
import { useCaseWork } from '../parts/use-case-work.ts';
import { withoutControls } from '../../gateway/without-controls.ts';
import { useLeaving } from './use-leaving.ts';

interface HoldDialogProps {
  shown: CaseDetail;
  before: () => Promise<boolean>;
  onDone: (after: CaseDetail) => void;
  onClose: () => void;
}

const kinds: readonly PendingStatus[] = [
  'awaiting_patient',
  'awaiting_second_opinion',
  'awaiting_result',
  'technical',
];

/** The longest hold. Its last day may have ended by nine o'clock. */
const MOST_DAYS = 90;

/** Asks the patient for something, or notes what else the case waits for. */
export function HoldDialog({ shown, before, onDone, onClose }: HoldDialogProps) {
  const { case: words, pending } = deskTexts.value;
  const [kind, setKind] = useState<PendingStatus>('awaiting_patient');
  // A dialog is closed by one key, and the session can end: what was written is back when it is opened again.
  const unsent = unsentOf(`hold ${shown.uuid}`, '');
  const message = unsent.value;
  const [remindOn, setRemindOn] = useState('');
  const work = useCaseWork(shown.uuid);
  const leave = useLeaving(before);
  const asks = kind === 'awaiting_patient';
  // The patient reads it: in the patient's language, not in the physician's.
  const phrases = Object.values(deskDictionaries[shown.language].case.holdPhrase);
  const submit = (event: Event) => {
    event.preventDefault();
    const hold = {
      pending_status: kind,
      ...(asks && { message: withoutControls(message).trim() }),
      ...(!asks && remindOn !== '' && { remind_at: new Date(`${remindOn}T09:00`).toISOString() }),
    };
    void work.run(
      () => leave(() => holdCase(shown, hold)),
      (after) => {
        if (unsent.peek() === message) unsent.value = '';
        onClose();
        onDone(after);
      },
    );
  };
  return (
    <Modal title={words.holdTitle} onClose={onClose}>
      <form onSubmit={submit}>
        <fieldset>
          <legend>{words.holdFor}</legend>
          {kinds.map((each) => (
            <label key={each} class="inline">
              <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} />
              {pending[each]}
            </label>
          ))}
        </fieldset>
        {asks ? (
          <>
            <label for="hold-message">{words.holdMessage}</label>
            <textarea
              id="hold-message"
              rows={5}
              required
              maxLength={2000}
              dir="auto"
              lang={shown.language}
              value={message}
              onInput={({ currentTarget }) => (unsent.value = currentTarget.value)}
            />
            <p class="small">{words.holdPhrases}</p>
            <ul class="phrases">
              {phrases.map((phrase) => (
                <li key={phrase}>
                  <button
                    type="button"
                    class="secondary outline small-button"
                    lang={shown.language}
                    dir="auto"
                    onClick={() => {
                      unsent.value = [unsent.peek().trim(), phrase].filter(Boolean).join('\n');
                    }}
                  >
                    {phrase}
                  </button>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <label>
            {words.holdUntil}
            <input
              type="date"
              min={dayAfter(1)}
              max={dayAfter(MOST_DAYS - 1)}
              value={remindOn}
              onInput={({ currentTarget }) => setRemindOn(currentTarget.value)}
            />
            <small>{words.holdUntilHint}</small>
          </label>
        )}
        {work.failure !== undefined && <DeskFailure failure={work.failure} />}
        <div class="actions">
          <button type="button" class="secondary outline" onClick={onClose}>
            {texts.value.common.cancel}
          </button>
          <button type="submit" aria-busy={work.busy}>
            {words.holdDo}
          </button>
        </div>
      </form>
    </Modal>
  );
}
