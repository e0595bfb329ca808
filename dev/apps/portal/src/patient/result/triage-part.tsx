import type { Triage } from 'dermagate-client';
import { texts } from '../../i18n/language.ts';
import { Loading } from '../../ui/loading.tsx';
import { lastOf, type Part } from './assessment.ts';

/** How urgent it is, why, and what to do. @param isSent whether a doctor has the answers. */
export function TriagePart({ part, isSent }: { part: Part<Triage>; isSent: boolean }) {
  const { result } = texts.value;
  const known = lastOf(part);
  return (
    <section class="part" aria-labelledby="soon">
      <h2 id="soon">{result.soonTitle}</h2>
      {part.state === 'waiting' && <Loading>{result.checkingTriage}</Loading>}
      {part.state === 'failed' && known === undefined && <p>{result.triageMissing}</p>}
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
