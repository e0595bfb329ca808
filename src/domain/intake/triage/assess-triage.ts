import type { Language } from '../../../contract/language.ts';
import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import { assessRedFlags, type SafetyNetRecord } from '../red-flags/assess-red-flags.ts';
import { isFlagTextDrafted, wordsFor } from '../red-flags/flag-text.ts';
import type { RedFlags, RedFlagUrgency } from '../red-flags/red-flags.schemas.ts';
import { actionText, isTriageTextDrafted, reasonText } from './action-text.ts';
import { RecommendedAction, type Triage, TriageLevel, type TriageReason } from './triage.schemas.ts';

/** The level of an emergency of our own rules for which the AI service gave none; its reasons are the flags. */
export const unaidedEmergency: Triage = {
  priority: 'emergency',
  urgencyScore: 10,
  recommendedAction: 'call_emergency_services',
  reasons: [],
};

/** The AI service's level, never less urgent than any flag of either side, and with a reason beside it. */
export function assessTriage(
  { redFlags, triage }: { redFlags: RedFlags | undefined; triage: Triage },
  anamnesis: PartialAnamnesis,
  language: Language,
): { triage: Triage; safetyNet: SafetyNetRecord } {
  const { redFlags: flags, safetyNet } = assessRedFlags({ redFlags, triage }, anamnesis, language);
  const escalated = escalateTriage(triage, flags, language);
  const isReason = (flag: string) => triage.reasons.some(({ code }) => code === flag);
  return {
    triage: escalated.triage,
    safetyNet: {
      added_flags: safetyNet.added_flags.filter((flag) => !isReason(flag)),
      disagreement: escalated.isEscalated,
    },
  };
}

/**
 * The AI service's triage, escalated to what the red flags require: an emergency flag makes it `emergency`, a high one at
 * least `urgent_24h`, a medium one at least `soon_2_weeks`. No level is lowered; every flag is among the reasons, and every
 * level has one. An action too weak for its priority is escalated, too.
 *
 * @param flags of the AI service and of our own rules, with their details in `language`.
 */
export function escalateTriage(
  fromAi: Triage,
  flags: RedFlags,
  language: Language,
): { triage: Triage; isEscalated: boolean } {
  const floor = triageFloor(flags.urgency);
  const priority = moreUrgentLevel(fromAi.priority, floor?.priority ?? fromAi.priority);
  const recommendedAction = moreUrgentAction(
    moreUrgentAction(fromAi.recommendedAction, minimumAction(priority)),
    floor?.recommendedAction ?? minimumAction(priority),
  );
  const theirReasons = fromAi.reasons.filter(({ text }) => text.trim() !== '');
  const known = new Set(theirReasons.map(({ code }) => code));
  const details = flags.flagDetails ?? [];
  const added: TriageReason[] = details
    .filter(({ code }) => !known.has(code))
    .map(({ code, text }) => ({ code, text }));
  // Details are optional for the AI service; our own flags always have them.
  const flagsWithoutDetails: TriageReason[] = flags.flags
    .filter((flag) => !known.has(flag) && !details.some(({ code }) => code === flag))
    .map((code) => ({ code, text: wordsFor(code, language) }));
  const reasons = [...theirReasons, ...added, ...flagsWithoutDetails];
  const isOwnAction =
    recommendedAction !== fromAi.recommendedAction || (fromAi.recommendedActionText ?? '').trim() === '';
  const isDrafted =
    ((isOwnAction || reasons.length === 0) && isTriageTextDrafted(language)) ||
    (added.length + flagsWithoutDetails.length > 0 && isFlagTextDrafted(language));
  return {
    triage: {
      ...fromAi,
      priority,
      urgencyScore: Math.max(fromAi.urgencyScore, floor?.urgencyScore ?? 0),
      recommendedAction,
      reasons: reasons.length > 0 ? reasons : [withoutReason(language)],
      recommendedActionText: isOwnAction
        ? actionText(recommendedAction, language)
        : fromAi.recommendedActionText,
      ...(isDrafted && { machineDrafted: true }),
    },
    isEscalated: priority !== fromAi.priority || recommendedAction !== fromAi.recommendedAction,
  };
}

const withoutReason = (language: Language): TriageReason => ({
  code: 'assessed_by_ai',
  text: reasonText('assessed_by_ai', language),
});

/** The minimum that red flags of an urgency require. */
interface TriageFloor {
  priority: TriageLevel;
  /** 0 to 10: the lowest score of the level. */
  urgencyScore: number;
  recommendedAction: RecommendedAction;
}

const floors: Readonly<Record<RedFlagUrgency, TriageFloor | undefined>> = {
  emergency: { priority: 'emergency', urgencyScore: 10, recommendedAction: 'call_emergency_services' },
  high: { priority: 'urgent_24h', urgencyScore: 8, recommendedAction: 'same_day_medical_review' },
  medium: {
    priority: 'soon_2_weeks',
    urgencyScore: 5,
    recommendedAction: 'physician_review_within_2_weeks',
  },
  low: undefined,
};

/** Undefined for `low`, which requires nothing by itself. */
export function triageFloor(urgency: RedFlagUrgency): TriageFloor | undefined {
  return floors[urgency];
}

const minimumActions: Readonly<Record<TriageLevel, RecommendedAction>> = {
  emergency: 'call_emergency_services',
  urgent_24h: 'physician_review_within_24h',
  soon_2_weeks: 'physician_review_within_2_weeks',
  routine: 'retake_photos',
  self_care: 'retake_photos',
};

/** The weakest action acceptable at this priority; below two weeks any action is. */
function minimumAction(priority: TriageLevel): RecommendedAction {
  return minimumActions[priority];
}

export function moreUrgentLevel(a: TriageLevel, b: TriageLevel): TriageLevel {
  return TriageLevel.options.indexOf(a) <= TriageLevel.options.indexOf(b) ? a : b;
}

export function moreUrgentAction(a: RecommendedAction, b: RecommendedAction): RecommendedAction {
  return RecommendedAction.options.indexOf(a) <= RecommendedAction.options.indexOf(b) ? a : b;
}
