import type { Prediction } from 'dermagate-client';
import { percent } from '../i18n/format.ts';
import { language, texts } from '../i18n/language.ts';
import { directionOf, fill, type Language, languageNames } from '../i18n/texts.ts';
import type { KeptDiagnosis } from '../intake/intake.ts';
import { StoredPhoto } from '../photo/stored-photo.tsx';
import { VerdictText } from '../questions/photo-verdict.tsx';
import { InfoIcon } from '../ui/icons.tsx';
import { Loading } from '../ui/loading.tsx';
import type { Part } from './assessment.ts';

/** More would only look exact. */
const SHOWN = 5;

interface DiagnosisPartProps {
  part: Part<KeptDiagnosis>;
  /** As an anamnesis names it. */
  photo: string | undefined;
  /** Asks for another diagnosis, which is in the language of the moment. */
  onAgain: () => void;
}

/** What it could be, and the verdict on the photo that was looked at. */
export function DiagnosisPart({ part, photo, onAgain }: DiagnosisPartProps) {
  const { result } = texts.value;
  const made = part.state === 'answered' ? part.value : undefined;
  return (
    <>
      <section class="part" aria-labelledby="predictions">
        <h2 id="predictions">{result.predictionsTitle}</h2>
        {part.state === 'waiting' && <Loading>{result.checkingPredictions}</Loading>}
        {part.state === 'failed' && <p>{result.predictionsMissing}</p>}
        {made !== undefined && (
          <>
            <p>{result.predictionsLead}</p>
            {made.language !== language.value && <OtherLanguage language={made.language} onAgain={onAgain} />}
            <ol class="predictions" {...inLanguage(made)}>
              {made.findings.predictions.slice(0, SHOWN).map((prediction) => (
                <PredictionBar key={prediction.disease} prediction={prediction} />
              ))}
            </ol>
          </>
        )}
      </section>
      {made !== undefined && photo !== undefined && (
        <section class="part" aria-labelledby="photo">
          <h2 id="photo">{result.photoTitle}</h2>
          <StoredPhoto path={photo} alt={result.photoTitle} />
          <VerdictText verdict={made.findings.image_validity} />
        </section>
      )}
    </>
  );
}

/** Another diagnosis is another case, so that it is made only when somebody wants it. */
function OtherLanguage({ language: other, onAgain }: { language: Language; onAgain: () => void }) {
  const { result } = texts.value;
  return (
    <div class="notice">
      <InfoIcon />
      <div>
        <p>{fill(result.findingsLanguage, { language: languageNames[other] })}</p>
        <button type="button" class="secondary outline" onClick={onAgain}>
          {fill(result.findingsAgain, { language: languageNames[language.value] })}
        </button>
      </div>
    </div>
  );
}

const inLanguage = ({ language: lang }: KeptDiagnosis) => ({ lang, dir: directionOf(lang) });

function PredictionBar({ prediction }: { prediction: Prediction }) {
  const { result } = texts.value;
  const { confidence, disease, explanation = [], icd10, name = disease, probability } = prediction;
  return (
    <li>
      <p class="name">
        <strong>{name}</strong> <span class="share">{percent(probability)}</span>
      </p>
      <div class="bar" aria-hidden="true">
        <span style={{ inlineSize: `${probability * 100}%` }} />
      </div>
      <p class="small">
        {result.confidence[confidence]}
        {icd10 !== undefined && (
          <>
            {' · '}
            <span dir="ltr">{fill(result.icd10, { code: icd10 })}</span>
          </>
        )}
      </p>
      {explanation.length > 0 && (
        <details>
          <summary>
            {result.why} <span class="visually-hidden">{name}</span>
          </summary>
          <ul>
            {explanation.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
