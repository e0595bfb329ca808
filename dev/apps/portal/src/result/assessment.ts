import type {
  FlagDetail,
  NextQuestion,
  RedFlags,
  RedFlagUrgency,
  Triage,
  TriageLevel,
} from 'dermagate-client';
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
  /** Undefined after an emergency, which waits for no diagnosis. */
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

function emergencyOf(end: NextQuestion): RedFlags[] {
  const { emergency, emergencyDetails: flagDetails = [], emergencyNumber, crisisLine } = end;
  if (emergency === undefined) return [];
  return [
    {
      hasRedFlags: true,
      flags: emergency,
      urgency: 'emergency',
      flagDetails,
      ...(emergencyNumber !== undefined && { emergencyNumber }),
      ...(crisisLine !== undefined && { crisisLine }),
    },
  ];
}

function union(a: RedFlags, b: RedFlags): RedFlags {
  return {
    ...a,
    ...b,
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
export const flagsInOrder = ({ flagDetails = [] }: Pick<RedFlags, 'flagDetails'>): FlagDetail[] =>
  flagDetails.toSorted((a, b) => compareUrgency(b.urgency, a.urgency));

/** Flags that came without words. */
export const bareFlags = ({ flags, flagDetails = [] }: RedFlags): string[] =>
  flags.filter((flag) => !flagDetails.some(({ code }) => code === flag));

/**
 * The flags of an emergency, and the others beside it, so that nothing less urgent stands where help is called for.
 * A flag without words is with the emergency when no other one explains it.
 */
export function splitByEmergency(redFlags: RedFlags): { emergency: RedFlags | undefined; others: RedFlags } {
  const { flags, flagDetails = [], urgency } = redFlags;
  if (urgency !== 'emergency') return { emergency: undefined, others: redFlags };
  const urgent = flagDetails.filter((flag) => flag.urgency === 'emergency');
  const isUrgent = (code: string) =>
    urgent.length === 0
      ? !flagDetails.some((flag) => flag.code === code)
      : urgent.some((flag) => flag.code === code);
  const rest = flagsInOrder({ flagDetails: flagDetails.filter((flag) => flag.urgency !== 'emergency') });
  return {
    emergency: { ...redFlags, flags: flags.filter(isUrgent), flagDetails: urgent },
    others: {
      ...redFlags,
      flags: flags.filter((code) => !isUrgent(code)),
      flagDetails: rest,
      urgency: rest[0]?.urgency ?? 'low',
    },
  };
}

/** What answers leave open; a gateway that does not say so has met every flag. */
export const isOpen = ({ certainty }: FlagDetail): boolean => certainty === 'not_excluded';

const calmLevels: readonly TriageLevel[] = ['routine', 'self_care'];

/** What the answers leave unknown: safety questions without one, and answers that say "I do not know". */
export interface Unknowns {
  openQuestions: number;
  unsureAnswers: number;
}

/**
 * Whether the page may look reassuring: no flag at all, a level that can wait, and nothing left unknown by the answers.
 * What has not come yet, or could not be found out, is never reassuring.
 */
export function isReassuring(
  redFlags: Part<RedFlags>,
  { triage }: Pick<Assessment, 'triage'>,
  { openQuestions, unsureAnswers }: Unknowns,
): boolean {
  return (
    redFlags.state === 'answered' &&
    !redFlags.value.hasRedFlags &&
    triage.state === 'answered' &&
    calmLevels.includes(triage.value.priority) &&
    openQuestions + unsureAnswers === 0
  );
}

/** How well a cause fits, in steps that do not look more exact than they are. */
export type Fit = 'well' | 'partly' | 'less';

export function fitOf({ probability, confidence }: { probability: number; confidence: string }): Fit {
  if (probability >= 0.5 && confidence !== 'low') return 'well';
  return probability >= 0.2 ? 'partly' : 'less';
}

/** Of several failures the one that must be waited for longest: one button repeats them all. */
export function failureToShow({ redFlags, triage, diagnosis }: Assessment): Failure | undefined {
  const failures = [redFlags, triage, diagnosis].flatMap((part) =>
    part?.state === 'failed' ? [part.failure] : [],
  );
  return failures.toSorted((a, b) => (b.retryAfter ?? 0) - (a.retryAfter ?? 0))[0];
}
