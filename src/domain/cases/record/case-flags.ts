import type { Language } from '../../../contract/language.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { evaluateRedFlags } from '../../intake/red-flags/evaluate-red-flags.ts';
import type { FlagDetail, RedFlags } from '../../intake/red-flags/red-flags.schemas.ts';
import { highestUrgency, isUrgent, RedFlagUrgency } from '../../intake/red-flags/red-flags.schemas.ts';
import { moreUrgentLevel, triageFloor } from '../../intake/triage/assess-triage.ts';
import type { TriageLevel } from '../../intake/triage/triage.schemas.ts';
import type { CaseRecord } from './case.queries.ts';
import { rankOf } from './due-time.ts';

/** The dangers in a record. They only grow: a later analysis, or an edited answer, adds to it. */
export interface CaseFlags {
  redFlags: readonly string[];
  /** Those of high or emergency urgency that were met, not merely not excluded. */
  urgentFlags: readonly string[];
  urgency: RedFlagUrgency | null;
  triageLevel: TriageLevel | null;
}

/**
 * The record's flags and those of one assessment together. Nothing is removed, no urgency or level lowered; the level is
 * at least what the flags require.
 */
export function addFlags(
  recorded: CaseFlags,
  assessed: Pick<RedFlags, 'flags' | 'urgency' | 'flagDetails'>,
  level?: TriageLevel,
): CaseFlags {
  const redFlags = union(recorded.redFlags, assessed.flags);
  const urgency = highestUrgency([recorded.urgency ?? 'low', assessed.urgency]);
  const floor = triageFloor(urgency)?.priority;
  const levels = [recorded.triageLevel, level, floor].filter((known) => known != null);
  return {
    redFlags,
    urgentFlags: union(recorded.urgentFlags, metUrgentFlags(assessed)),
    urgency,
    triageLevel: levels.length === 0 ? null : levels.reduce(moreUrgentLevel),
  };
}

/** Whether flags that only grow differ from those before. */
export const hasGrown = (flags: CaseFlags, before: CaseFlags): boolean =>
  flags.redFlags.length > before.redFlags.length ||
  flags.urgentFlags.length > before.urgentFlags.length ||
  flags.urgency !== before.urgency ||
  flags.triageLevel !== before.triageLevel;

/**
 * Codes of the flags of high or emergency urgency that are met. A flag that the AI service names without details counts as
 * found, with the urgency of the whole.
 */
export function metUrgentFlags({
  flags,
  urgency,
  flagDetails = [],
}: Pick<RedFlags, 'flags' | 'urgency' | 'flagDetails'>): string[] {
  const details = new Map<string, Pick<FlagDetail, 'urgency' | 'certainty'>>(
    flagDetails.map((detail) => [detail.code, detail]),
  );
  return flags.filter((code) => {
    const detail = details.get(code) ?? { urgency };
    return detail.certainty !== 'not_excluded' && isUrgent(detail.urgency);
  });
}

/** The record's flags and those that our own rules find in its answers, which need no AI service. */
export function withOwnRules(
  record: CaseRecord,
  anamnesis: PartialAnamnesis,
  level?: TriageLevel,
): CaseFlags {
  return addFlags(
    flagsOf(record),
    evaluateRedFlags(anamnesis, undefined, record.language as Language),
    level,
  );
}

/** Whether `found` has a flag of high or emergency urgency that is met, or an emergency, which the record has not. */
export const isMoreDangerous = (
  found: CaseFlags,
  record: Pick<CaseRecord, 'urgent_flags' | 'urgency'>,
): boolean =>
  found.urgentFlags.length > record.urgent_flags.length ||
  (found.urgency === 'emergency' && record.urgency !== 'emergency');

/** What a physician knows who signs now. Urgent answers are published at once, so that it is of the answer that is read. */
export const answeredDangers = ({
  urgent_flags: flags,
  urgency,
}: Pick<CaseRecord, 'urgent_flags' | 'urgency'>) => ({
  answered_urgent_flags: flags,
  answered_urgency: urgency,
});

/**
 * Whether danger was found after the answer was signed; undefined where it is not known what was known then. An urgency that
 * rose counts too where nothing is met: what cannot be excluded was not answered either.
 */
export function hasDangerSinceAnswer(
  record: Pick<CaseRecord, 'urgent_flags' | 'urgency' | 'answered_urgent_flags' | 'answered_urgency'>,
): boolean | undefined {
  const { answered_urgent_flags: known, urgency } = record;
  if (known === null) return undefined;
  if (record.urgent_flags.length > known.length) return true;
  return urgency !== null && urgency !== record.answered_urgency && isUrgent(RedFlagUrgency.parse(urgency));
}

export function flagsOf(
  record: Pick<CaseRecord, 'red_flags' | 'urgent_flags' | 'urgency' | 'triage_level'>,
): CaseFlags {
  return {
    redFlags: record.red_flags,
    urgentFlags: record.urgent_flags,
    urgency: record.urgency as RedFlagUrgency | null,
    triageLevel: record.triage_level as TriageLevel | null,
  };
}

/** The columns that say what is dangerous about a case. */
export function flagColumns({ redFlags, urgentFlags, urgency, triageLevel }: CaseFlags) {
  return {
    red_flags: [...redFlags],
    has_red_flags: redFlags.length > 0,
    urgent_flags: [...urgentFlags],
    urgency,
    triage_level: triageLevel,
    triage_rank: triageLevel === null ? null : rankOf(triageLevel),
  };
}

/** What an event may say of flags: codes, and not more than it has room for. An AI service may send anything. */
export const flagCodes = (flags: readonly string[]): string[] =>
  flags.filter((flag) => /^[a-z0-9_]{1,64}$/.test(flag)).slice(0, 50);

const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])];
