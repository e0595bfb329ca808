import type { AuditAnnotation, CaseDetail, DermatologistAnnotation } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { deskTexts } from '../i18n/texts.ts';
import { AmendForm } from './amend-form.tsx';
import { AnswerForm } from './answer-form.tsx';
import type { DraftKeeper } from './draft-keeper.ts';
import { SignedAnswer } from './signed-answer.tsx';

interface AnswerPanelProps {
  shown: CaseDetail;
  /** Undefined where the reader does not answer the case. */
  keeper: DraftKeeper | undefined;
  isNew: boolean;
  onSigned: () => void;
  onChanged: (after: CaseDetail) => void;
  /** Reads the case again. */
  again: () => void;
}

/** The answer: a form, or what was signed. */
export function AnswerPanel(props: AnswerPanelProps) {
  const { shown, keeper, isNew, onSigned, onChanged, again } = props;
  const { answer: words, case: ofCase } = deskTexts.value;
  const [isAmending, setAmending] = useState(false);
  const answers = shown.annotations.filter(
    (each): each is DermatologistAnnotation => each.kind === 'dermatologist' && each.status !== 'draft',
  );
  const current = answers.findLast(({ status }) => status === 'final');
  const former = answers.filter(({ status }) => status !== 'final');
  const correction = shown.annotations.findLast(
    (each): each is AuditAnnotation =>
      each.kind === 'audit' && each.status === 'final' && each.annotation_uuid === current?.uuid,
  );
  return (
    <section class="panel" aria-labelledby="answer">
      <h2 id="answer">{words.title}</h2>
      {correction?.requires_correction === true && (
        <div class="notice warning">
          <div>
            <h3>{words.correctionTitle}</h3>
            <p dir="auto">{correction.comment}</p>
          </div>
        </div>
      )}
      {keeper !== undefined && (
        <AnswerForm shown={shown} keeper={keeper} onSigned={onSigned} onChanged={onChanged} again={again} />
      )}
      {keeper === undefined && current === undefined && <p class="small">{ofCase.readOnly}</p>}
      {keeper === undefined && current !== undefined && !isAmending && (
        <>
          <SignedAnswer shown={shown} answer={current} isNew={isNew} onChanged={onChanged} />
          {shown.allowed_actions.includes('amend') && (
            <button type="button" class="secondary outline" onClick={() => setAmending(true)}>
              {words.amend}
            </button>
          )}
        </>
      )}
      {current !== undefined && isAmending && (
        <AmendForm
          shown={shown}
          answer={current}
          onCancel={() => setAmending(false)}
          onDone={() => {
            setAmending(false);
            again();
          }}
        />
      )}
      {former.map(({ uuid, status, rendered_text: text, language, cancel_reason: reason }) => (
        <details key={uuid}>
          <summary>{status === 'amended' ? words.replaced : words.withdrawn}</summary>
          {reason !== null && <p dir="auto">{reason}</p>}
          <p class="message" dir="auto" lang={language}>
            {text}
          </p>
        </details>
      ))}
    </section>
  );
}
