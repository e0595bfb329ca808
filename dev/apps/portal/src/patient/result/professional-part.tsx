import type { Prediction, RedFlags, Triage } from 'dermagate-client';
import { number, percent } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import type { StoredDiagnosis } from '../intake/intake.ts';
import { inLanguage, SHOWN } from './diagnosis-part.tsx';

/** By the contract 0 can wait and 10 means now. */
const HIGHEST_SCORE = 10;

interface ProfessionalPartProps {
  redFlags: RedFlags | undefined;
  triage: Triage | undefined;
  made: StoredDiagnosis | undefined;
}

/** Figures, codes and field paths, which would suggest too much precision to a patient. */
export function ProfessionalPart({ redFlags, triage, made }: ProfessionalPartProps) {
  const { result } = texts.value;
  if (redFlags === undefined && triage === undefined && made === undefined) return null;
  return (
    <details class="part professional">
      <summary>{result.professionalTitle}</summary>
      <p>{result.professionalLead}</p>
      {triage !== undefined && (
        <p>
          {fill(result.score, { score: number(triage.urgencyScore), max: number(HIGHEST_SCORE) })}{' '}
          <code>{triage.priority}</code> <code>{triage.recommendedAction}</code>
        </p>
      )}
      {redFlags !== undefined && <FlagCodes redFlags={redFlags} />}
      {made !== undefined && <Findings made={made} />}
    </details>
  );
}

function FlagCodes({ redFlags: { flags, flagDetails = [] } }: { redFlags: RedFlags }) {
  const { result } = texts.value;
  if (flags.length === 0) return null;
  const detailOf = (flag: string) => flagDetails.find(({ code }) => code === flag);
  return (
    <>
      <h3>{result.flagsTitle}</h3>
      <ul>
        {flags.map((flag) => (
          <li key={flag} dir="ltr">
            <code>
              {[flag, detailOf(flag)?.urgency, detailOf(flag)?.certainty].filter(Boolean).join(' · ')}
            </code>
          </li>
        ))}
      </ul>
    </>
  );
}

function Findings({ made }: { made: StoredDiagnosis }) {
  const { result } = texts.value;
  const { predictions, image_validity: verdict } = made.findings;
  return (
    <>
      <h3>{result.predictionsTitle}</h3>
      <ol {...inLanguage(made)}>
        {predictions.slice(0, SHOWN).map((prediction) => (
          <Figures key={prediction.disease} prediction={prediction} />
        ))}
      </ol>
      <h3>{result.photoTitle}</h3>
      <p>
        {fill(result.photoScore, { percent: percent(verdict.score) })}{' '}
        {verdict.issues.map((issue) => (
          <code key={issue}>{issue} </code>
        ))}
      </p>
    </>
  );
}

function Figures({ prediction }: { prediction: Prediction }) {
  const { result } = texts.value;
  const { confidence, disease, explanation = [], icd10, name = disease, probability } = prediction;
  return (
    <li>
      <strong>{name}</strong>
      <p class="small">
        {fill(result.probability, { percent: percent(probability, 1) })}
        {' · '}
        {fill(result.modelConfidence, { level: result.confidence[confidence] })}
        {icd10 !== undefined && (
          <>
            {' · '}
            <span dir="ltr">{fill(result.icd10, { code: icd10 })}</span>
          </>
        )}
      </p>
      {explanation.length > 0 && (
        <ul>
          {explanation.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
