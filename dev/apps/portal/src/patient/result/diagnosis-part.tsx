import type { Prediction } from 'dermagate-client';
import { language, texts } from '../../i18n/language.ts';
import { directionOf, fill, type Language, languageNames } from '../../i18n/texts.ts';
import type { StoredDiagnosis } from '../intake/intake.ts';
import { StoredPhoto } from '../photo/stored-photo.tsx';
import { VerdictText } from '../questions/photo-verdict.tsx';
import { InfoIcon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/loading.tsx';
import { type Fit, fitOf, type Part } from './assessment.ts';

/** More would suggest a precision that does not exist. */
export const SHOWN = 5;

interface DiagnosisPartProps {
  part: Part<StoredDiagnosis>;
  /** As an anamnesis names it. */
  photo: string | undefined;
  /** Requests another diagnosis in the current language. */
  onAgain: () => void;
}

/** Possible causes, and the verdict on the photo. */
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
                <PossibleCause key={prediction.disease} prediction={prediction} />
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

/** Another diagnosis is another case, so it is made only on request. */
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

export const inLanguage = ({ language: lang }: { language: Language }) => ({ lang, dir: directionOf(lang) });

const steps: readonly Fit[] = ['less', 'partly', 'well'];

/** In words, in three steps; the figures are for professionals. */
function PossibleCause({ prediction }: { prediction: Prediction }) {
  const { disease, name = disease } = prediction;
  const fit = fitOf(prediction);
  const reached = steps.indexOf(fit);
  return (
    <li>
      <strong>{name}</strong>
      <span class="fit">
        <span class="meter" aria-hidden="true">
          {steps.map((step, index) => (
            <span key={step} class={index <= reached ? 'reached' : ''} />
          ))}
        </span>
        <span lang={language.value} dir={directionOf(language.value)}>
          {texts.value.result.fit[fit]}
        </span>
      </span>
    </li>
  );
}
