import type { RedFlags, Triage } from 'dermagate-client';
import { texts } from '../../i18n/language.ts';
import { Loading } from '../../ui/loading.tsx';
import { lastOf, levelOfFlags, type Part } from './assessment.ts';

interface TriagePartProps {
  part: Part<Triage>;
  /** What has been found: it takes the place of a level that could not be determined. */
  redFlags: RedFlags | undefined;
  /** Whether a doctor has the answers. */
  isSent: boolean;
}

/** How urgent it is, why, and what to do. */
export function TriagePart({ part, redFlags, isSent }: TriagePartProps) {
  const { result } = texts.value;
  const known = lastOf(part);
  const required = levelOfFlags(redFlags);
  return (
    <section class="part" aria-labelledby="soon">
      <h2 id="soon">{result.soonTitle}</h2>
      {part.state === 'waiting' && <Loading>{result.checkingTriage}</Loading>}
      {part.state === 'failed' && known === undefined && (
        <p class={required && `soon ${required}`}>
          {required === undefined ? result.triageMissing : <strong>{result.soon[required]}</strong>}
        </p>
      )}
      {known !== undefined && <TriageText triage={known} isSent={isSent} />}
    </section>
  );
}

function TriageText({ triage, isSent }: { triage: Triage; isSent: boolean }) {
  const { result } = texts.value;
  const { priority, reasons, recommendedActionText } = triage;
  return (
    <>
      <p class={`soon ${priority}`}>
        <strong>{result.soon[priority]}</strong>
      </p>
      <h3>{result.nextTitle}</h3>
      {recommendedActionText !== undefined && <p class="lead">{recommendedActionText}</p>}
      {priority !== 'emergency' && (
        <p>
          {result.nextWorse} {!isSent && result.nextShow}
        </p>
      )}
      {reasons.length > 0 && (
        <details>
          <summary>{result.reasons}</summary>
          <ul>
            {reasons.map(({ code, text }) => (
              <li key={code}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
