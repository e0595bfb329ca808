import { type FlagDetail, highestUrgency, type RedFlags } from './red-flags.ts';

/** Recorded with every answer (`ml_diagnosis_results.safety_net`), so that misses of the AI service can be counted. */
export interface SafetyNetRecord {
  /** Flags that only our own rules raised. */
  added_flags: string[];
  /** The AI service missed a flag or rated the case or a flag less urgent than our own rules. */
  disagreement: boolean;
}

/**
 * The AI service's red flags and our own, together: nothing is taken away and no urgency lowered. The AI service's
 * flags come first, in its order and in its words.
 */
export function mergeRedFlags(
  fromAi: RedFlags,
  own: RedFlags,
): { redFlags: RedFlags; safetyNet: SafetyNetRecord } {
  const added = own.flags.filter((flag) => !fromAi.flags.includes(flag));
  const flags = [...new Set([...fromAi.flags, ...added])];
  const details = mergeDetails(fromAi.flagDetails ?? [], own.flagDetails ?? []);
  const urgency = highestUrgency([fromAi.urgency, own.urgency, ...details.map((detail) => detail.urgency)]);
  const lifted = details.some(({ code, urgency: merged }) =>
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
        added.length > 0 || lifted || highestUrgency([fromAi.urgency, own.urgency]) !== fromAi.urgency,
    },
  };
}

function mergeDetails(fromAi: readonly FlagDetail[], own: readonly FlagDetail[]): FlagDetail[] {
  const ownByCode = new Map(own.map((detail) => [detail.code, detail]));
  const theirCodes = new Set(fromAi.map(({ code }) => code));
  return [
    ...fromAi.map((theirs) => withOurs(theirs, ownByCode.get(theirs.code))),
    ...own.filter(({ code }) => !theirCodes.has(code)),
  ];
}

/** In their words, unless they could not rule out what our rules have found. */
function withOurs(theirs: FlagDetail, ours: FlagDetail | undefined): FlagDetail {
  if (ours === undefined) return theirs;
  const urgency = highestUrgency([theirs.urgency, ours.urgency]);
  const isFoundByUs = ours.certainty === 'met' && ours.urgency === urgency;
  if (isFoundByUs && theirs.certainty === 'not_excluded') return ours;
  const isFound = isFoundByUs || (theirs.certainty !== 'not_excluded' && theirs.urgency === urgency);
  return { ...theirs, urgency, certainty: isFound ? 'met' : 'not_excluded' };
}
