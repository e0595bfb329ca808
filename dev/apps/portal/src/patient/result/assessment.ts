import type {
  FlagDetail,
  NextQuestion,
  RedFlags,
  RedFlagUrgency,
  Triage,
  TriageLevel,
} from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import type { Failure } from '../../gateway/failure.ts';
import { emergencyOf } from '../intake/emergency-of.ts';
import type { StoredDiagnosis } from '../intake/intake.ts';

/** `last`: the answer before, of a call that is repeated, such as for another language. */
export type Part<Value> =
  | { state: 'waiting'; last?: Value | undefined }
  | { state: 'answered'; value: Value }
  | { state: 'failed'; failure: Failure; last?: Value | undefined };

/** The newest answer. A repeated call is about the same answers of the patient, so its failure disproves nothing. */
export const lastOf = <Value>(part: Part<Value> | undefined): Value | undefined =>
  part?.state === 'answered' ? part.value : part?.last;

/** Three independent replies: each is shown when it arrives, even when the others fail. */
export interface Assessment {
  redFlags: Part<RedFlags>;
  triage: Part<Triage>;
  /** Undefined after an emergency, which must not wait for a diagnosis. */
  diagnosis: Part<StoredDiagnosis> | undefined;
}

export const partOf = <Value>(outcome: Outcome<Value>): Part<Value> =>
  outcome.ok ? { state: 'answered', value: outcome.value } : { state: 'failed', failure: outcome.failure };

const urgencies: readonly RedFlagUrgency[] = ['low', 'medium', 'high', 'emergency'];

/**
 * The red flags to show: the union of those from the diagnosis, from the emergency that ended the questions, and from the
 * red-flag request, so that each source covers for the others, and an urgent level that none of them explains. Later
 * sources win, because they are in the current language. A flag stays while its check is repeated, and when that fails.
 */
export function redFlagsOf({ redFlags, triage, diagnosis }: Assessment, end: NextQuestion): Part<RedFlags> {
  const before = redFlags.state === 'answered' ? undefined : redFlags.last;
  const known = [
    before,
    lastOf(diagnosis)?.findings.red_flags,
    emergencyOf(end),
    redFlags.state === 'answered' ? redFlags.value : undefined,
  ].filter((each) => each !== undefined);
  const level = flagOfLevel(lastOf(triage));
  const found = known.length === 0 ? undefined : known.reduce(union);
  if (found !== undefined) {
    const isExplained = level === undefined || compareUrgency(found.urgency, level.urgency) >= 0;
    return { state: 'answered', value: isExplained ? found : union(found, level) };
  }
  // An emergency waits for no check, and none is needed for it.
  if (level?.urgency === 'emergency') return { state: 'answered', value: level };
  return diagnosis?.state === 'waiting' ? { state: 'waiting' } : redFlags;
}

/** The gateway's flag for a level that only the AI service gives. */
const URGENT_BY_AI = 'urgent_by_ai';

const urgencyOfLevel: Partial<Record<TriageLevel, RedFlagUrgency>> = {
  emergency: 'emergency',
  urgent_24h: 'high',
};

const levelOfUrgency: Partial<Record<RedFlagUrgency, TriageLevel>> = {
  emergency: 'emergency',
  high: 'urgent_24h',
  medium: 'soon_2_weeks',
};

/** The level that the flags require at least, as the gateway has it; undefined where they require none. */
export const levelOfFlags = (redFlags: RedFlags | undefined): TriageLevel | undefined =>
  redFlags?.hasRedFlags === true ? levelOfUrgency[redFlags.urgency] : undefined;

/** The gateway judges each request by the replies that it gets in time, so that a level may come without its flag. */
function flagOfLevel(triage: Triage | undefined): RedFlags | undefined {
  if (triage === undefined) return undefined;
  const urgency = urgencyOfLevel[triage.priority];
  if (urgency === undefined) return undefined;
  const { reasons, emergencyNumber, crisisLine } = triage;
  const reason = reasons.find(({ code }) => code === URGENT_BY_AI);
  return {
    hasRedFlags: true,
    flags: [URGENT_BY_AI],
    urgency,
    flagDetails: reason === undefined ? [] : [{ ...reason, urgency, certainty: 'met' }],
    ...(emergencyNumber !== undefined && { emergencyNumber }),
    ...(crisisLine !== undefined && { crisisLine }),
  };
}

/** Of a flag in both the later detail, unless it is less urgent. */
export function union(a: RedFlags, b: RedFlags): RedFlags {
  const earlier = new Map(a.flagDetails?.map((flag) => [flag.code, flag]));
  const later = (b.flagDetails ?? []).map((flag) => {
    const before = earlier.get(flag.code);
    return before !== undefined && compareUrgency(before.urgency, flag.urgency) > 0 ? before : flag;
  });
  return {
    ...a,
    ...b,
    hasRedFlags: a.hasRedFlags || b.hasRedFlags,
    flags: [...new Set([...a.flags, ...b.flags])],
    urgency: compareUrgency(a.urgency, b.urgency) < 0 ? b.urgency : a.urgency,
    flagDetails: [...new Map([...(a.flagDetails ?? []), ...later].map((flag) => [flag.code, flag])).values()],
  };
}

const compareUrgency = (a: RedFlagUrgency, b: RedFlagUrgency) => urgencies.indexOf(a) - urgencies.indexOf(b);

/** The flags with texts, the most urgent first. */
export const flagsInOrder = ({ flagDetails = [] }: Pick<RedFlags, 'flagDetails'>): FlagDetail[] =>
  flagDetails.toSorted((a, b) => compareUrgency(b.urgency, a.urgency));

/** Codes of flags without texts. */
export const bareFlags = ({ flags, flagDetails = [] }: RedFlags): string[] =>
  flags.filter((flag) => !flagDetails.some(({ code }) => code === flag));

/**
 * Separates the emergency flags from the others, so that nothing less urgent appears beside the call for help. A flag
 * without a text counts as an emergency when no other flag explains the emergency.
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

/** Whether the answers neither meet nor exclude the flag. Without `certainty` a flag counts as met. */
export const isOpen = ({ certainty }: FlagDetail): boolean => certainty === 'not_excluded';

const calmLevels: readonly TriageLevel[] = ['routine', 'self_care'];

/** What the answers leave unknown: unanswered safety questions, and answers that mean "I do not know". */
export interface Unknowns {
  openQuestions: number;
  unsureAnswers: number;
}

/**
 * Whether the page may look reassuring: no flag at all, a level that can wait, and nothing unknown. A missing or failed
 * reply is never reassuring.
 * @param redFlags of all sources.
 */
export function isReassuring(
  redFlags: Part<RedFlags>,
  { redFlags: repeated, triage }: Pick<Assessment, 'redFlags' | 'triage'>,
  { openQuestions, unsureAnswers }: Unknowns,
): boolean {
  return (
    repeated.state === 'answered' &&
    redFlags.state === 'answered' &&
    !redFlags.value.hasRedFlags &&
    triage.state === 'answered' &&
    calmLevels.includes(triage.value.priority) &&
    openQuestions + unsureAnswers === 0
  );
}

/** How well a cause fits, in three steps: finer ones would suggest a precision that does not exist. */
export type Fit = 'well' | 'partly' | 'less';

export function fitOf({ probability, confidence }: { probability: number; confidence: string }): Fit {
  if (probability >= 0.5 && confidence !== 'low') return 'well';
  return probability >= 0.2 ? 'partly' : 'less';
}

/** The failure with the longest wait: one button repeats all failed requests. */
export function failureToShow({ redFlags, triage, diagnosis }: Assessment): Failure | undefined {
  const failures = [redFlags, triage, diagnosis].flatMap((part) =>
    part?.state === 'failed' ? [part.failure] : [],
  );
  return failures.toSorted((a, b) => (b.retryAfter ?? 0) - (a.retryAfter ?? 0))[0];
}
