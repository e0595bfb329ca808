import type { CaseDetail, Prediction } from 'dermagate-client';
import { useEffect, useRef } from 'preact/hooks';
import { readDeskFeatures } from '../../gateway/desk-calls.ts';
import { percent } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { shortMoment } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';
import { useKeys } from '../keys/use-keys.ts';

interface AiFindingsProps {
  shown: CaseDetail;
  /** Undefined where the reader does not answer the case. */
  onUse: ((prediction: Prediction) => void) | undefined;
}

/**
 * What the AI service found: folded until the physician opens it, because a suggestion that is read first anchors the judgement.
 * A clinic can have it open: `desk/features`, `show_ai_findings_open`.
 */
export function AiFindings({ shown, onUse }: AiFindingsProps) {
  const { ai: words, answer, triage: levels } = deskTexts.value;
  const details = useRef<HTMLDetailsElement>(null);
  const { value: features } = useRead(['desk-features'], readDeskFeatures);
  const isOpen = features?.parameters['show_ai_findings_open'] === true;
  useEffect(() => {
    if (details.current !== null) details.current.open = isOpen;
  }, [isOpen, shown.uuid]);
  const toggle = () => {
    if (details.current === null) return;
    details.current.open = !details.current.open;
    details.current.querySelector('summary')?.focus();
  };
  useKeys([{ press: 'i', label: answer.keys.ai, run: toggle }]);
  const { analysis } = shown;
  return (
    <section class="panel">
      <details ref={details} class="ai">
        <summary title={`${answer.keys.ai} (i)`}>
          <h2>{words.title}</h2>
          <span class="small">{words.folded}</span>
        </summary>
        {analysis === null ? (
          <p>{words.none}</p>
        ) : (
          <>
            {analysis.degraded && <p class="tag warn">{words.outdated}</p>}
            <p>{fill(words.suggests, { level: levels[analysis.triage.priority] })}</p>
            <ul class="reasons">
              {analysis.triage.reasons.map(({ code, text }) => (
                <li key={code} dir="auto">
                  {text}
                </li>
              ))}
            </ul>
            <ol class="predictions">
              {analysis.predictions.map((prediction) => (
                <li key={prediction.disease}>
                  <p>
                    <strong>{prediction.name ?? prediction.disease.replaceAll('_', ' ')}</strong>{' '}
                    {percent(prediction.probability)} · {words.confidence[prediction.confidence]}
                    {prediction.icd10 !== undefined && <span class="code"> {prediction.icd10}</span>}
                  </p>
                  <ul>
                    {(prediction.explanation ?? []).map((line) => (
                      <li key={line} dir="auto">
                        {line}
                      </li>
                    ))}
                  </ul>
                  {onUse !== undefined && (
                    <button
                      type="button"
                      class="secondary outline small-button"
                      onClick={() => onUse(prediction)}
                    >
                      {words.use}
                    </button>
                  )}
                </li>
              ))}
            </ol>
            <p class="small">
              {fill(words.model, {
                version: analysis.model_version ?? '–',
                time: shortMoment(analysis.analysed_at),
              })}
            </p>
          </>
        )}
      </details>
    </section>
  );
}
