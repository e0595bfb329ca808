import type { AuditAgreement, CaseDetail } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { signAudit } from '../../gateway/desk-calls.ts';
import { useOnce } from '../../query/use-once.ts';
import { keepFocus } from '../../ui/keep-focus.ts';
import { currentAnswer } from '../answer/current-answer.ts';
import { DiseaseField } from '../answer/disease-field.tsx';
import { TextArea } from '../answer/fields.tsx';
import { isUnpicked } from '../answer/unpicked.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { signByButton } from '../parts/sign-by-button.ts';
import { NextCaseButton } from '../take/next-case.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { useKeys } from '../keys/use-keys.ts';
import { type AuditEntries, auditOf, audits, emptyAudit, isEntered } from './audit-entries.ts';
import { marks, scoresOf, withMark } from './scores.ts';

const OWN_DIAGNOSIS = 'audit-own-diagnosis';
const agreements: readonly AuditAgreement[] = ['agree', 'minor', 'major'];

/** An auditor's judgement of a published answer. */
export function AuditForm({
  shown,
  onSigned,
  again,
}: {
  shown: CaseDetail;
  onSigned: () => void;
  /** Reads the case again. */
  again: () => void;
}) {
  const { audit: words } = deskTexts.value;
  const { uuid } = shown;
  const draft = shown.annotations.find((each) => each.kind === 'audit' && each.status === 'draft');
  const answer = currentAnswer(shown)?.uuid;
  const entries = audits.of(uuid) ?? emptyAudit(answer);
  const { agreement, ownDiagnosis: own, scores } = entries;
  const [asked, setAsked] = useState(false);
  const [unpicked, setUnpicked] = useState(false);
  const work = useOnce();
  const change = (patch: Partial<AuditEntries> | ((before: AuditEntries) => Partial<AuditEntries>)) =>
    audits.change(uuid, entries, typeof patch === 'function' ? patch : () => patch);
  const sign = () => {
    setAsked(true);
    const isTyped = isUnpicked(OWN_DIAGNOSIS);
    setUnpicked(isTyped);
    const body = auditOf(entries);
    if (typeof body === 'string') {
      document.getElementById(`audit-${body}`)?.focus();
      return;
    }
    if (isTyped) {
      document.getElementById(OWN_DIAGNOSIS)?.focus();
      return;
    }
    const signing = work.run(
      async () => {
        const signed = await signAudit(uuid, { ...body, case_version: shown.version }, draft?.version);
        if (!signed.ok && signed.failure.reason === 'case_changed') again();
        return signed;
      },
      () => {
        audits.remove(uuid);
        onSigned();
      },
    );
    void keepFocus(signing);
  };
  const discard = () => {
    setAsked(false);
    setUnpicked(false);
    audits.remove(uuid);
  };
  useKeys([{ press: '$mod+Enter', label: words.sign, inFields: true, run: sign }]);
  return (
    <section class="panel" aria-labelledby="audit">
      <h2 id="audit">{words.title}</h2>
      <form
        class="answer-form"
        onKeyDown={signByButton}
        onSubmit={(event) => {
          event.preventDefault();
          sign();
        }}
      >
        {entries.answer !== answer && (
          <div class="notice warning" role="alert">
            <p>{words.answerChanged}</p>
          </div>
        )}
        {/* What is written meanwhile would be gone with the reply. */}
        <div inert={work.busy}>
          <fieldset id="audit-agreement" tabIndex={-1}>
            <legend>{words.agreement}</legend>
            {agreements.map((each) => (
              <label key={each} class="inline">
                <input
                  type="radio"
                  name="agreement"
                  checked={agreement === each}
                  onChange={() => change({ agreement: each })}
                />
                {words.agreements[each]}
              </label>
            ))}
            {asked && agreement === undefined && (
              <p class="field-error" role="alert">
                {words.missing}
              </p>
            )}
          </fieldset>
          <DiseaseField
            id={OWN_DIAGNOSIS}
            label={words.ownDiagnosis}
            onPick={({ disease_id: disease, id, code, name }) =>
              change({
                ownDiagnosis: {
                  disease_id: disease ?? id,
                  code,
                  code_system: 'dermagate',
                  text: name,
                  certainty: 'probable',
                  is_primary: true,
                },
              })
            }
          />
          {unpicked && (
            <p class="field-error" role="alert">
              {words.unpicked}
            </p>
          )}
          {own !== undefined && (
            <p>
              {own.text}{' '}
              <button
                type="button"
                class="bare"
                aria-label={deskTexts.value.answer.remove}
                onClick={() => change({ ownDiagnosis: undefined })}
              >
                ×
              </button>
            </p>
          )}
          <fieldset id="audit-scores" tabIndex={-1}>
            <legend>{words.scores}</legend>
            <div class="pair">
              {marks.map((mark) => (
                <label key={mark}>
                  {words.score[mark]}
                  <input
                    type="number"
                    min="1"
                    max="5"
                    value={scores[mark] ?? ''}
                    onInput={({ currentTarget: { value } }) =>
                      change((before) => ({ scores: withMark(before.scores, mark, value) }))
                    }
                  />
                </label>
              ))}
            </div>
            {asked && scoresOf(scores) === undefined && (
              <p class="field-error" role="alert">
                {words.scoresMissing}
              </p>
            )}
          </fieldset>
          <label class="inline">
            <input
              type="checkbox"
              checked={entries.isUnsafe}
              onChange={() => change({ isUnsafe: !entries.isUnsafe })}
            />
            {words.safety}
          </label>
          <label class="inline">
            <input
              type="checkbox"
              checked={entries.mustCorrect}
              onChange={() => change({ mustCorrect: !entries.mustCorrect })}
            />
            {words.correction}
          </label>
          <TextArea
            label={words.comment}
            value={entries.comment}
            onInput={(comment) => change({ comment })}
          />
        </div>
        {work.failure !== undefined && <DeskFailure failure={work.failure} />}
        {isEntered(entries) && (
          <button type="button" class="secondary outline small-button" onClick={discard}>
            {words.discard}
          </button>
        )}
        <button type="submit" class="sign" aria-busy={work.busy}>
          {words.sign}
        </button>
      </form>
    </section>
  );
}

/** After an audit, and for other auditors. */
export function AuditSigned() {
  return (
    <section class="panel" role="status">
      <p>{deskTexts.value.audit.signed}</p>
      <NextCaseButton queue="audit" />
    </section>
  );
}
