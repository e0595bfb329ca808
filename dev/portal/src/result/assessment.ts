import type { Diagnosis, FlagDetail, NextQuestion, RedFlags, RedFlagUrgency, Triage } from 'dermagate-client';
import type { Outcome } from '../gateway/attempt.ts';
import type { Failure } from '../gateway/failure.ts';

export type Part<Value> =
  | { state: 'waiting' }
  | { state: 'answered'; value: Value }
  | { state: 'failed'; failure: Failure };

/** Three answers that come by themselves: what is there is shown, whatever becomes of the others. */
export interface Assessment {
  redFlags: Part<RedFlags>;
  triage: Part<Triage>;
  /** Undefined after an emergency, where nobody shall wait for it. */
  diagnosis: Part<Diagnosis> | undefined;
}

export function beginAssessment(end: NextQuestion): Assessment {
  const { emergency, emergencyDetails: flagDetails = [] } = end;
  if (emergency === undefined) {
    return {
      redFlags: { state: 'waiting' },
      triage: { state: 'waiting' },
      diagnosis: { state: 'waiting' },
    };
  }
  const value = { hasRedFlags: true, flags: emergency, urgency: 'emergency', flagDetails } as const;
  return {
    redFlags: { state: 'answered', value },
    triage: { state: 'waiting' },
    diagnosis: undefined,
  };
}

export const partOf = <Value>(outcome: Outcome<Value>): Part<Value> =>
  outcome.ok ? { state: 'answered', value: outcome.value } : { state: 'failed', failure: outcome.failure };

const urgencies: readonly RedFlagUrgency[] = ['low', 'medium', 'high', 'emergency'];

/**
 * The red flags to show. They are asked for twice, alone and with the diagnosis, so that they are there when the
 * other has failed; where both came, none of them is lost.
 */
export function redFlagsOf({ redFlags, diagnosis }: Assessment): Part<RedFlags> {
  const known = [
    ...(redFlags.state === 'answered' ? [redFlags.value] : []),
    ...(diagnosis?.state === 'answered' ? [diagnosis.value.red_flags] : []),
  ];
  if (known.length > 0) return { state: 'answered', value: known.reduce(union) };
  return diagnosis?.state === 'waiting' ? diagnosis : redFlags;
}

function union(a: RedFlags, b: RedFlags): RedFlags {
  return {
    hasRedFlags: a.hasRedFlags || b.hasRedFlags,
    flags: [...new Set([...a.flags, ...b.flags])],
    urgency: compareUrgency(a.urgency, b.urgency) < 0 ? b.urgency : a.urgency,
    flagDetails: [
      ...new Map(
        [...(a.flagDetails ?? []), ...(b.flagDetails ?? [])].map((flag) => [flag.code, flag]),
      ).values(),
    ],
  };
}

const compareUrgency = (a: RedFlagUrgency, b: RedFlagUrgency) => urgencies.indexOf(a) - urgencies.indexOf(b);

/** In words, the most urgent first. */
export const flagsInOrder = ({ flagDetails = [] }: RedFlags): FlagDetail[] =>
  flagDetails.toSorted((a, b) => compareUrgency(b.urgency, a.urgency));

/** Of several failures the one that must be waited for longest: one button repeats them all. */
export function failureToShow({ redFlags, triage, diagnosis }: Assessment): Failure | undefined {
  const failures = [redFlags, triage, diagnosis].flatMap((part) =>
    part?.state === 'failed' ? [part.failure] : [],
  );
  return failures.toSorted((a, b) => (b.retryAfter ?? 0) - (a.retryAfter ?? 0))[0];
}
