import type { CaseDetail, DermatologistAnnotation } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { amendAnswer } from '../../gateway/desk-calls.ts';
import { useOnce } from '../../query/use-once.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { AnswerFields } from './answer-fields.tsx';
import { bodyOf, type Draft, draftOf } from './draft.ts';
import { TextArea } from './fields.tsx';

interface AmendFormProps {
  shown: CaseDetail;
  answer: DermatologistAnnotation;
  onDone: () => void;
  onCancel: () => void;
}

/** A published answer is replaced by another one, with the reason; the patient can read it at once. */
export function AmendForm({ shown, answer, onDone, onCancel }: AmendFormProps) {
  const { answer: words } = deskTexts.value;
  const [draft, setDraft] = useState(() => draftOf(answer));
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const work = useOnce();
  const change = (patch: Partial<Draft> | ((before: Draft) => Draft)) =>
    setDraft((before) => (typeof patch === 'function' ? patch(before) : { ...before, ...patch }));
  const submit = (event: Event) => {
    event.preventDefault();
    setAsked(true);
    if (reason.trim() === '') {
      document.getElementById('amend-reason')?.focus();
      return;
    }
    void work.run(
      () => amendAnswer(shown.uuid, bodyOf(draft), { version: answer.version, reason: reason.trim() }),
      onDone,
    );
  };
  return (
    <form class="answer-form" onSubmit={submit}>
      <h3>{words.amendTitle}</h3>
      <TextArea id="amend-reason" label={words.amendReason} value={reason} onInput={setReason} />
      {asked && reason.trim() === '' && (
        <p class="field-error" role="alert">
          {words.amendReasonMissing}
        </p>
      )}
      <AnswerFields caseUuid={shown.uuid} draft={draft} change={change} />
      {work.failure !== undefined && <DeskFailure failure={work.failure} />}
      <div class="actions">
        <button type="button" class="secondary outline" onClick={onCancel}>
          {words.amendCancel}
        </button>
        <button type="submit" aria-busy={work.busy}>
          {words.amendDo}
        </button>
      </div>
    </form>
  );
}
