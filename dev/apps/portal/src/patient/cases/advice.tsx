import type { CaseAdvice, RedFlags } from 'dermagate-client';
import { emergencyNumber } from '../../gateway/help-lines.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { FlagTexts, hasCrisisLine } from '../result/flag-texts.tsx';
import { FlagBox, OtherFlags } from '../result/red-flags-part.tsx';

/** The flags of a case; undefined where it has none. */
export function flagsOfCase(advice: CaseAdvice | null): RedFlags | undefined {
  if (advice === null || advice.flagDetails.length === 0) return undefined;
  // A gateway from before the numbers were in its advice has them in other replies.
  const { flagDetails, urgency, emergencyNumber: number = emergencyNumber.value, crisisLine } = advice;
  return {
    hasRedFlags: true,
    flags: flagDetails.map(({ code }) => code),
    urgency,
    flagDetails,
    ...(number !== undefined && { emergencyNumber: number }),
    ...(crisisLine !== undefined && { crisisLine }),
  };
}

/** What must be read at once; above everything else of a case. */
export function Advice({ advice }: { advice: CaseAdvice }) {
  const redFlags = flagsOfCase(advice);
  if (redFlags === undefined) return null;
  const soon = soonText(advice);
  return (
    <>
      <FlagBox redFlags={redFlags} />
      <OtherFlags redFlags={redFlags} />
      {soon !== undefined && (
        <p>
          <strong>{soon}</strong>
        </p>
      )}
    </>
  );
}

/**
 * What was said before a doctor answered. It is no advice any more: folded, not red, and without the number of the emergency
 * services. The crisis line contradicts no answer and stays in sight.
 */
export function EarlierAdvice({ advice }: { advice: CaseAdvice }) {
  const { cases, result } = texts.value;
  const redFlags = flagsOfCase(advice);
  if (redFlags === undefined) return null;
  return (
    <details class="replaced-answer" open={hasCrisisLine(redFlags)}>
      <summary>{cases.adviceBefore}</summary>
      <p>
        {cases.adviceReplaced}{' '}
        {advice.urgency === 'emergency' && fill(cases.saidBefore, { text: result.callNow })}
      </p>
      <FlagTexts redFlags={redFlags} />
    </details>
  );
}

/** How soon, in words: flags that could not be ruled out name no time. An emergency has its call for help already. */
function soonText({ urgency, recommendedAction }: CaseAdvice): string | undefined {
  const { result } = texts.value;
  if (urgency === 'emergency') return undefined;
  const times: Partial<Record<NonNullable<CaseAdvice['recommendedAction']>, string>> = {
    call_emergency_services: result.soon.emergency,
    same_day_medical_review: result.urgency.high,
    physician_review_within_24h: result.soon.urgent_24h,
    physician_review_within_2_weeks: result.soon.soon_2_weeks,
  };
  const time = recommendedAction === null ? undefined : times[recommendedAction];
  return time === undefined ? undefined : `${result.soonTitle}: ${time}`;
}
