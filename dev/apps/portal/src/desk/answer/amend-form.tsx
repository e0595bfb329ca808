import type { CaseDetail } from 'dermagate-client';
import { useEffect, useState } from 'preact/hooks';
import { useOnce } from '../../query/use-once.ts';
import { keepFocus } from '../../ui/keep-focus.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { signByButton } from '../parts/sign-by-button.ts';
import { AMEND_CONFLICT, AmendConflict } from './amend-conflict.tsx';
import { type Amendment, amendments, isOutdated, isSigned, sendAmendment } from './amendments.ts';
import { AnswerFields } from './answer-fields.tsx';
import { currentAnswer } from './current-answer.ts';
import { useContradictions } from './contradictions.tsx';
import { type Draft, missingIn } from './draft.ts';
import { TextArea } from './fields.tsx';
import { useMissing } from './missing-list.tsx';

interface AmendFormProps {
  shown: CaseDetail;
  amendment: Amendment;
  /** The case is no longer as it was read. */
  onChanged: () => void;
}

/** A published answer is replaced by another one, with the reason; the patient can read it at once. */
export function AmendForm({ shown, amendment, onChanged }: AmendFormProps) {
  const { answer: words } = deskTexts.value;
  const { uuid } = shown;
  const { draft, reason } = amendment;
  const [asked, setAsked] = useState(false);
  const work = useOnce();
  // The flags were seen when the answer was signed.
  const missing = useMissing(missingIn(draft, []));
  const current = currentAnswer(shown);
  // A read can return the amended answer before the reply to the call that signs it.
  const isStale = !work.busy && isOutdated(amendment, current);
  useEffect(() => {
    if (isStale && isSigned(amendment, current)) amendments.remove(uuid);
  }, [isStale, current]);
  const change = (patch: Partial<Amendment>) => amendments.change(uuid, amendment, () => patch);
  const changeDraft = (patch: Partial<Draft> | ((before: Draft) => Draft)) =>
    amendments.change(uuid, amendment, ({ draft: before }) => ({
      draft: typeof patch === 'function' ? patch(before) : { ...before, ...patch },
    }));
  const contradictions = useContradictions(draft, changeDraft);
  const submit = (event: Event) => {
    event.preventDefault();
    setAsked(true);
    if (isStale) {
      document.getElementById(AMEND_CONFLICT)?.focus();
      return;
    }
    if (reason.trim() === '') {
      document.getElementById('amend-reason')?.focus();
      return;
    }
    if (!missing.check() || !contradictions.check()) return;
    const sending = work.run(
      async () => {
        const outcome = await sendAmendment(shown, amendment, contradictions.isConfirmed);
        if (!outcome.ok) contradictions.note(outcome.failure);
        const isOld =
          !outcome.ok && ['version_conflict', 'case_changed'].includes(`${outcome.failure.reason}`);
        if (isOld) onChanged();
        return outcome;
      },
      () => {
        amendments.remove(uuid);
        onChanged();
      },
    );
    void keepFocus(sending);
  };
  return (
    <form class="answer-form" onKeyDown={signByButton} onSubmit={submit}>
      <h3>{words.amendTitle}</h3>
      {isStale && (
        <AmendConflict
          amendment={amendment}
          current={current}
          mayAmend={shown.allowed_actions.includes('amend')}
          change={(patch) => {
            work.show(undefined);
            change(patch);
          }}
        />
      )}
      {/* What is signed is what is on the screen: nothing is written meanwhile, which would be gone with the reply. */}
      <div inert={work.busy}>
        <TextArea
          id="amend-reason"
          label={words.amendReason}
          most={500}
          value={reason}
          onInput={(text) => change({ reason: text })}
        />
        {asked && reason.trim() === '' && (
          <p class="field-error" role="alert">
            {words.amendReasonMissing}
          </p>
        )}
        <AnswerFields caseUuid={uuid} draft={draft} change={changeDraft} />
      </div>
      {missing.list}
      <div inert={work.busy}>{contradictions.list}</div>
      {work.failure !== undefined && work.failure.contradictions === undefined && !isStale && (
        <DeskFailure failure={work.failure} />
      )}
      <div class="actions">
        <button type="button" class="secondary outline" onClick={() => amendments.remove(uuid)}>
          {words.amendCancel}
        </button>
        <button type="submit" aria-busy={work.busy}>
          {words.amendDo}
        </button>
      </div>
    </form>
  );
}
