import type { AuditAnnotation, CaseDetail } from 'dermagate-client';
import { deskTexts } from '../i18n/texts.ts';
import { AmendForm } from './amend-form.tsx';
import { amendmentOf, amendments } from './amendments.ts';
import { AnswerForm } from './answer-form.tsx';
import { currentAnswer, signedAnswers } from './current-answer.ts';
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

/** No physician can have such a case in hand. */
const ended: readonly CaseDetail['status'][] = ['ineligible', 'cancelled', 'expired'];

/** The answer: a form, or what was signed. */
export function AnswerPanel(props: AnswerPanelProps) {
  const { shown, keeper, isNew, onSigned, onChanged, again } = props;
  const { answer: words, case: ofCase } = deskTexts.value;
  const amendment = amendments.of(shown.uuid);
  const current = currentAnswer(shown);
  const former = signedAnswers(shown).filter(({ status }) => status !== 'final');
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
      {keeper === undefined && current === undefined && (
        <p class="small">{ended.includes(shown.status) ? ofCase.ended : ofCase.readOnly}</p>
      )}
      {keeper === undefined && current !== undefined && amendment === undefined && (
        <>
          <SignedAnswer shown={shown} answer={current} isNew={isNew} onChanged={onChanged} />
          {shown.allowed_actions.includes('amend') && (
            <button
              type="button"
              class="secondary outline"
              onClick={() => amendments.set(shown.uuid, amendmentOf(current))}
            >
              {words.amend}
            </button>
          )}
        </>
      )}
      {amendment !== undefined && <AmendForm shown={shown} amendment={amendment} onChanged={again} />}
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
