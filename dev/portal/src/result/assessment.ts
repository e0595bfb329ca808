import type { FlagDetail, NextQuestion, RedFlags, RedFlagUrgency, Triage } from 'dermagate-client';
import type { Outcome } from '../gateway/attempt.ts';
import type { Failure } from '../gateway/failure.ts';
import type { KeptDiagnosis } from '../intake/intake.ts';

export type Part<Value> =
  | { state: 'waiting' }
  | { state: 'answered'; value: Value }
  | { state: 'failed'; failure: Failure };

/** Three answers that come by themselves: what is there is shown, whatever becomes of the others. */
export interface Assessment {
  redFlags: Part<RedFlags>;
  triage: Part<Triage>;
  /** Undefined after an emergency, where nobody shall wait for it. */
  diagnosis: Part<KeptDiagnosis> | undefined;
}

export const partOf = <Value>(outcome: Outcome<Value>): Part<Value> =>
  outcome.ok ? { state: 'answered', value: outcome.value } : { state: 'failed', failure: outcome.failure };

const urgencies: readonly RedFlagUrgency[] = ['low', 'medium', 'high', 'emergency'];

/**
 * The red flags to show. They come with the diagnosis, with an emergency that ended the questions, and by themselves, so
 * that they are there when the others have failed; none of them is lost. The last to name one has it in the language of
 * the moment.
 */
export function redFlagsOf({ redFlags, diagnosis }: Assessment, end: NextQuestion): Part<RedFlags> {
  const known = [
    ...(diagnosis?.state === 'answered' ? [diagnosis.value.findings.red_flags] : []),
    ...emergencyOf(end),
    ...(redFlags.state === 'answered' ? [redFlags.value] : []),
  ];
  if (known.length > 0) return { state: 'answered', value: known.reduce(union) };
  return diagnosis?.state === 'waiting' ? diagnosis : redFlags;
}

function emergencyOf({ emergency, emergencyDetails: flagDetails = [] }: NextQuestion): RedFlags[] {
  if (emergency === undefined) return [];
  return [{ hasRedFlags: true, flags: emergency, urgency: 'emergency', flagDetails }];
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
