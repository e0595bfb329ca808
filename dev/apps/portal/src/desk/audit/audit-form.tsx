import type { AuditAgreement, CaseDetail, DiagnosisInput } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { signAudit } from '../../gateway/desk-calls.ts';
import { useOnce } from '../../query/use-once.ts';
import { DiseaseField } from '../answer/disease-field.tsx';
import { TextArea } from '../answer/fields.tsx';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { NextCaseButton } from '../take/next-case.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { useKeys } from '../keys/use-keys.ts';
import { type EnteredScores, marks, scoresOf, withMark } from './scores.ts';

const agreements: readonly AuditAgreement[] = ['agree', 'minor', 'major'];

/** An auditor's judgement of a published answer. */
export function AuditForm({ shown, onSigned }: { shown: CaseDetail; onSigned: () => void }) {
  const { audit: words } = deskTexts.value;
  const draft = shown.annotations.find((each) => each.kind === 'audit' && each.status === 'draft');
  const [agreement, setAgreement] = useState<AuditAgreement>();
  const [own, setOwn] = useState<DiagnosisInput>();
  const [scores, setScores] = useState<EnteredScores>({});
  const [isUnsafe, setUnsafe] = useState(false);
  const [mustCorrect, setMustCorrect] = useState(false);
  const [comment, setComment] = useState('');
  const [asked, setAsked] = useState(false);
  const work = useOnce();
  const given = scoresOf(scores);
  const sign = () => {
    setAsked(true);
    if (agreement === undefined) {
      document.getElementById('audit-agreement')?.focus();
      return;
    }
    if (given === undefined) {
      document.getElementById('audit-scores')?.focus();
      return;
    }
    const body = {
      agreement,
      own_diagnosis: own ?? null,
      scores: given,
      safety_issue: isUnsafe,
      requires_correction: mustCorrect,
      comment: comment.trim() || null,
    };
    void work.run(() => signAudit(shown.uuid, body, draft?.version), onSigned);
  };
  useKeys([{ press: '$mod+Enter', label: words.sign, inFields: true, run: sign }]);
  return (
    <section class="panel" aria-labelledby="audit">
      <h2 id="audit">{words.title}</h2>
      <form
        class="answer-form"
        onSubmit={(event) => {
          event.preventDefault();
          sign();
        }}
      >
        <fieldset id="audit-agreement" tabIndex={-1}>
          <legend>{words.agreement}</legend>
          {agreements.map((each) => (
            <label key={each} class="inline">
              <input
                type="radio"
                name="agreement"
                checked={agreement === each}
                onChange={() => setAgreement(each)}
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
          label={words.ownDiagnosis}
          onPick={({ disease_id: disease, id, code, name }) =>
            setOwn({
              disease_id: disease ?? id,
              code,
              code_system: 'dermagate',
              text: name,
              certainty: 'probable',
              is_primary: true,
            })
          }
        />
        {own !== undefined && (
          <p>
            {own.text}{' '}
            <button
              type="button"
              class="bare"
              aria-label={deskTexts.value.answer.remove}
              onClick={() => setOwn(undefined)}
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
                  onInput={({ currentTarget: { value } }) => setScores(withMark(scores, mark, value))}
                />
              </label>
            ))}
          </div>
          {asked && given === undefined && (
            <p class="field-error" role="alert">
              {words.scoresMissing}
            </p>
          )}
        </fieldset>
        <label class="inline">
          <input type="checkbox" checked={isUnsafe} onChange={() => setUnsafe(!isUnsafe)} />
          {words.safety}
        </label>
        <label class="inline">
          <input type="checkbox" checked={mustCorrect} onChange={() => setMustCorrect(!mustCorrect)} />
          {words.correction}
        </label>
        <TextArea label={words.comment} value={comment} onInput={setComment} />
        {work.failure !== undefined && <DeskFailure failure={work.failure} />}
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
