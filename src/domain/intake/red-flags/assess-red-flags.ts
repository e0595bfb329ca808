import type { Language } from '../../../contract/language.ts';
import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import type { Triage, TriageLevel } from '../triage/triage.schemas.ts';
import { evaluateRedFlags } from './evaluate-red-flags.ts';
import { flagText, wordsFor } from './flag-text.ts';
import {
  compareUrgency,
  type FlagDetail,
  highestUrgency,
  oncePerFlag,
  type RedFlags,
  type RedFlagUrgency,
} from './red-flags.schemas.ts';
import { redFlagRules } from './rules/red-flag-rules.ts';

/** Replies of the AI service about one anamnesis; undefined where it was not asked or did not reply. */
export interface AiAssessment {
  redFlags: RedFlags | undefined;
  triage: Triage | undefined;
}

/**
 * Red flags of the AI service and of our own rules, and `urgent_by_ai` for an urgent level that only the AI service gives
 * or a flag that it does not name, so that flags and level never contradict each other, even when requested separately.
 */
export function assessRedFlags(
  { redFlags: fromAi = noFlags, triage }: AiAssessment,
  anamnesis: PartialAnamnesis,
  language: Language,
): { redFlags: RedFlags; safetyNet: SafetyNetRecord } {
  const own = evaluateRedFlags(anamnesis, redFlagRules, language);
  const theirs = namedFlags(fromAi, language);
  const { redFlags: merged, safetyNet } = mergeRedFlags(theirs, own, (code) => flagText(code, language));
  const required = requiredByAi(fromAi, triage?.priority);
  const redFlags = isExplained(required, theirs, merged)
    ? merged
    : withUrgencyOfAi(merged, required, language);
  return { redFlags: withCertainty(redFlags), safetyNet };
}

const noFlags: RedFlags = { hasRedFlags: false, flags: [], urgency: 'low' };

const urgencyOfLevel: Readonly<Partial<Record<TriageLevel, RedFlagUrgency>>> = {
  emergency: 'emergency',
  urgent_24h: 'high',
};

/** A code that cannot be shown or acknowledged names no flag. */
const isName = (code: string) => code.trim() !== '';

/** The flags that the AI service names, each explained once: in our words where it has none. */
function namedFlags({ flagDetails, ...redFlags }: RedFlags, language: Language): RedFlags {
  const named = flagDetails?.filter(({ code }) => isName(code)).map((detail) => inWords(detail, language));
  return {
    ...redFlags,
    flags: redFlags.flags.filter(isName),
    ...(named && { flagDetails: oncePerFlag(named) }),
  };
}

function inWords(detail: FlagDetail, language: Language): FlagDetail {
  const { code, text } = detail;
  return text.trim() === '' ? { ...detail, text: wordsFor(code, language) } : detail;
}

/** The urgency that the AI service's reply or level requires, and at least `high` for a flag that it reports without a name. */
function requiredByAi(fromAi: RedFlags, level: TriageLevel | undefined): RedFlagUrgency {
  const { hasRedFlags, flags, flagDetails = [], urgency } = fromAi;
  const unnamed = flagDetails.filter(({ code }) => !isName(code));
  const hasUnnamed =
    unnamed.length > 0 ||
    flags.some((code) => !isName(code)) ||
    (hasRedFlags && codesOf(fromAi).length === 0);
  return highestUrgency([
    urgency,
    (level === undefined ? undefined : urgencyOfLevel[level]) ?? 'low',
    hasUnnamed ? 'high' : 'low',
    ...unnamed.map((detail) => detail.urgency),
  ]);
}

/**
 * Whether a flag is as urgent as required: one that is met, or one that the AI service has reported, even as not excluded. One
 * that only our own rules cannot exclude is no reason for the AI service's urgency, which may have another.
 */
function isExplained(required: RedFlagUrgency, theirs: RedFlags, merged: RedFlags): boolean {
  const { flags, flagDetails: details = [], urgency } = theirs;
  const explained = new Set(details.map(({ code }) => code));
  const hasBare = flags.some((code) => !explained.has(code));
  const found = (merged.flagDetails ?? []).filter(({ certainty }) => certainty !== 'not_excluded');
  const reasons = [...details, ...found].map((detail) => detail.urgency);
  return compareUrgency(highestUrgency(hasBare ? [...reasons, urgency] : reasons), required) >= 0;
}

/** Adds a flag for an urgency that no flag explains. */
function withUrgencyOfAi(redFlags: RedFlags, required: RedFlagUrgency, language: Language): RedFlags {
  const flag = {
    code: 'urgent_by_ai',
    text: flagText('urgent_by_ai', language),
    urgency: required,
    certainty: 'met' as const,
  };
  const isOther = (code: string) => code !== flag.code;
  return {
    ...redFlags,
    hasRedFlags: true,
    flags: [flag.code, ...redFlags.flags.filter(isOther)],
    urgency: highestUrgency([redFlags.urgency, required]),
    flagDetails: [flag, ...(redFlags.flagDetails ?? []).filter(({ code }) => isOther(code))],
  };
}

/** A flag of the AI service without a certainty is one that it has found. */
function withCertainty({ flagDetails, ...redFlags }: RedFlags): RedFlags {
  if (flagDetails === undefined) return redFlags;
  return {
    ...redFlags,
    flagDetails: flagDetails.map((detail) => ({ ...detail, certainty: detail.certainty ?? 'met' })),
  };
}

/** Stored with every answer (`ml_diagnosis_results.safety_net`), so that misses of the AI service can be counted. */
export interface SafetyNetRecord {
  /** Flags that only our own rules raised. */
  added_flags: string[];
  /** The AI service missed a flag or rated the case or a flag less urgent than our own rules. */
  disagreement: boolean;
}

/**
 * The red flags of the AI service and our own, combined: none is removed and no urgency lowered. Those of the AI service
 * come first, in its order and wording.
 *
 * @param textOf the words for a flag that the AI service has found and gives no words for.
 */
export function mergeRedFlags(
  fromAi: RedFlags,
  own: RedFlags,
  textOf: (code: string) => string | undefined = () => undefined,
): { redFlags: RedFlags; safetyNet: SafetyNetRecord } {
  const theirs = codesOf(fromAi);
  const added = codesOf(own).filter((flag) => !theirs.includes(flag));
  const flags = [...theirs, ...added];
  const details = mergeDetails(fromAi, own.flagDetails ?? [], textOf);
  const urgency = highestUrgency([fromAi.urgency, own.urgency, ...details.map((detail) => detail.urgency)]);
  const isRaised = details.some(({ code, urgency: merged }) =>
    fromAi.flagDetails?.some((theirs) => theirs.code === code && theirs.urgency !== merged),
  );
  return {
    redFlags: {
      ...fromAi,
      hasRedFlags: fromAi.hasRedFlags || flags.length > 0,
      flags,
      urgency,
      ...(details.length > 0 || fromAi.flagDetails ? { flagDetails: details } : {}),
    },
    safetyNet: {
      added_flags: added,
      disagreement:
        added.length > 0 || isRaised || highestUrgency([fromAi.urgency, own.urgency]) !== fromAi.urgency,
    },
  };
}

/** Once each, also those that only the details name. */
const codesOf = ({ flags, flagDetails = [] }: RedFlags): string[] => [
  ...new Set([...flags, ...flagDetails.map(({ code }) => code)]),
];

function mergeDetails(
  fromAi: RedFlags,
  own: readonly FlagDetail[],
  textOf: (code: string) => string | undefined,
): FlagDetail[] {
  const ownByCode = new Map(own.map((detail) => [detail.code, detail]));
  const explained = new Set(fromAi.flagDetails?.map(({ code }) => code));
  const theirCodes = new Set(codesOf(fromAi));
  const unexplained = [...theirCodes].filter((code) => !explained.has(code));
  return [
    ...(fromAi.flagDetails ?? []).map((theirs) => mergeDetail(theirs, ownByCode.get(theirs.code))),
    ...unexplained.flatMap((code) => {
      const ours = ownByCode.get(code);
      return ours === undefined ? [] : [withoutTheirs(ours, fromAi.urgency, textOf(code))];
    }),
    ...own.filter(({ code }) => !theirCodes.has(code)),
  ];
}

/** A flag that the AI service names without a detail is one that it has found, of the urgency of the whole. */
function withoutTheirs(ours: FlagDetail, urgency: RedFlagUrgency, text = ours.text): FlagDetail {
  const merged = mergeDetail({ ...ours, urgency, certainty: 'met' }, ours);
  // Our words for a flag that is not excluded name an unknown fact.
  return ours.certainty === 'not_excluded' && merged.certainty === 'met' ? { ...merged, text } : merged;
}

/** Of one flag. In the AI service's words, unless it could not rule out what our rules have found. */
export function mergeDetail(theirs: FlagDetail, ours: FlagDetail | undefined): FlagDetail {
  if (ours === undefined) return theirs;
  const urgency = highestUrgency([theirs.urgency, ours.urgency]);
  const isFoundByUs = ours.certainty === 'met' && ours.urgency === urgency;
  if (isFoundByUs && theirs.certainty === 'not_excluded') return ours;
  const isFound = isFoundByUs || (theirs.certainty !== 'not_excluded' && theirs.urgency === urgency);
  return { ...theirs, urgency, certainty: isFound ? 'met' : 'not_excluded' };
}
