import type { Diagnosis, Prediction } from 'dermagate-client';
import { percent } from '../i18n/format.ts';
import { texts } from '../i18n/language.ts';
import { fill } from '../i18n/texts.ts';
import { StoredPhoto } from '../photo/stored-photo.tsx';
import { VerdictText } from '../questions/photo-verdict.tsx';
import { Loading } from '../ui/loading.tsx';
import type { Part } from './assessment.ts';

/** More would only look exact. */
const SHOWN = 5;

/** What it could be, and the verdict on the photo that was looked at. */
export function DiagnosisPart({ part, photo }: { part: Part<Diagnosis>; photo: string | undefined }) {
  const { result } = texts.value;
  return (
    <>
      <section class="part" aria-labelledby="predictions">
        <h2 id="predictions">{result.predictionsTitle}</h2>
        {part.state === 'waiting' && <Loading>{result.checkingPredictions}</Loading>}
        {part.state === 'failed' && <p>{result.predictionsMissing}</p>}
        {part.state === 'answered' && (
          <>
            <p>{result.predictionsLead}</p>
            <ol class="predictions">
              {part.value.predictions.slice(0, SHOWN).map((prediction) => (
                <PredictionBar key={prediction.disease} prediction={prediction} />
              ))}
            </ol>
          </>
        )}
      </section>
      {part.state === 'answered' && photo !== undefined && (
        <section class="part" aria-labelledby="photo">
          <h2 id="photo">{result.photoTitle}</h2>
          <StoredPhoto path={photo} alt={result.photoTitle} />
          <VerdictText verdict={part.value.image_validity} />
        </section>
      )}
    </>
  );
}

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
