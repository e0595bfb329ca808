import type { CaseDetail, DermatologistAnnotation } from 'dermagate-client';
import { useEffect, useRef } from 'preact/hooks';
import { moveCase } from '../../gateway/desk-calls.ts';
import { fill } from '../../i18n/texts.ts';
import { readAgain } from '../../query/use-read.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { countdown, shortMoment, useNow } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';
import { ContradictionReasons } from './contradiction-reasons.tsx';
import { useKeys } from '../keys/use-keys.ts';
import { useCaseWork } from '../parts/use-case-work.ts';
import { NextCaseButton } from '../take/next-case.tsx';

interface SignedAnswerProps {
  shown: CaseDetail;
  answer: DermatologistAnnotation;
  /** Signed in this tab a moment ago: the focus comes here. */
  isNew: boolean;
  onChanged: (after: CaseDetail) => void;
}

/** A signed answer as the patient reads it; until it is published it can be withdrawn. */
export function SignedAnswer({ shown, answer, isNew, onChanged }: SignedAnswerProps) {
  const { answer: words } = deskTexts.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const work = useCaseWork(shown.uuid);
  const mayUndo = shown.allowed_actions.includes('undo');
  const undo = () => void work.run(() => moveCase('undo', shown), onChanged);
  useKeys(mayUndo ? [{ press: 'u', label: words.keys.undo, run: undo }] : []);
  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  return (
    <div class="signed">
      <h3 ref={heading} tabIndex={-1}>
        {answer.published_at === null
          ? words.signedTitle
          : fill(words.published, { date: shortMoment(answer.published_at) })}
      </h3>
      {mayUndo && shown.publish_at !== null && (
        <div class="notice success undo" role="status">
          <div>
            <p>
              <UndoTime uuid={shown.uuid} until={shown.publish_at} />
            </p>
            <button
              type="button"
              class="outline"
              title={`${words.keys.undo} (u)`}
              aria-busy={work.busy}
              onClick={undo}
            >
              {words.undo}
            </button>
          </div>
        </div>
      )}
      {work.failure !== undefined && <DeskFailure failure={work.failure} />}
      {isNew && <NextCaseButton />}
      <p class="small">
        {fill(words.by, {
          name: answer.author?.display_name ?? '–',
          date: shortMoment(answer.signed_at ?? answer.updated_at),
        })}
      </p>
      {answer.amend_reason !== null && (
        <p class="small" dir="auto">
          {words.amendReason}: {answer.amend_reason}
        </p>
      )}
      <ContradictionReasons reasons={answer.contradiction_reasons} />
      {answer.urgency_explanation !== null && (
        <p class="message" dir="auto" lang={answer.language}>
          {answer.urgency_explanation}
        </p>
      )}
      <p class="message" dir="auto" lang={answer.language}>
        {answer.rendered_text}
      </p>
      {answer.internal_note !== null && (
        <p class="small" dir="auto">
          {words.note}: {answer.internal_note}
        </p>
      )}
    </div>
  );
}

function UndoTime({ uuid, until }: { uuid: string; until: string }) {
  const { answer: words } = deskTexts.value;
  const left = (Date.parse(until) - useNow()) / 1000;
  // Then it cannot be undone any more. The clock of the gateway decides, not the one of this device.
  const isOver = left < -1;
  useEffect(() => {
    if (isOver) readAgain(['case', uuid]);
  }, [isOver]);
  // Off, because a screen reader must not repeat it every second.
  return (
    <span aria-live="off">
      {left <= 0 ? words.signedNow : fill(words.signedWaiting, { time: countdown(left) })}
    </span>
  );
}
