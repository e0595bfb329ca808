import type { FlagDetail, RedFlags } from './red-flags.ts';
import { highestUrgency } from './red-flags.ts';

/** Recorded with every answer (`ml_diagnosis_results.safety_net`), so that misses of the AI service can be counted. */
export interface SafetyNetRecord {
  /** Flags that only our own rules raised. */
  added_flags: string[];
  /** The AI service missed a flag or rated the case or a flag less urgent than our own rules. */
  disagreement: boolean;
}

/**
 * The AI service's red flags and our own, together: nothing is taken away and no urgency lowered. The AI service's
 * flags come first, in its order and its words.
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
    ...fromAi.map((theirs) => ({
      ...theirs,
      urgency: highestUrgency([theirs.urgency, ownByCode.get(theirs.code)?.urgency ?? 'low']),
    })),
    ...own.filter(({ code }) => !theirCodes.has(code)),
  ];
}
