import type { Language } from '../../../contract/language.ts';
import { isFlagTextDrafted } from '../red-flags/flag-text.ts';
import type { SafetyNetRecord } from '../red-flags/merge-red-flags.ts';
import type { RedFlags } from '../red-flags/red-flags.ts';
import { actionText, isTriageTextDrafted, reasonText } from './action-text.ts';
import { leastAction, moreUrgentAction, moreUrgentLevel, triageFloor } from './triage-level.ts';
import type { Triage, TriageReason } from './triage.ts';

/**
 * The AI service's triage, lifted to what the red flags ask for: an emergency flag makes it `emergency`, a high one at
 * least `urgent_24h`, a medium one at least `soon_2_weeks`. Nothing is ever lowered; every flag is among the reasons,
 * and no level goes without one. An action that says less than its own priority is lifted, too.
 *
 * @param flags of the AI service and of our own rules, with their details in `language`.
 */
export function liftTriage(
  fromAi: Triage,
  flags: RedFlags,
  language: Language,
): { triage: Triage; safetyNet: SafetyNetRecord } {
  const floor = flags.flags.length === 0 ? undefined : triageFloor(flags.urgency);
  const priority = moreUrgentLevel(fromAi.priority, floor?.priority ?? fromAi.priority);
  const recommendedAction = moreUrgentAction(
    moreUrgentAction(fromAi.recommendedAction, leastAction(priority)),
    floor?.recommendedAction ?? leastAction(priority),
  );
  const known = new Set(fromAi.reasons.map(({ code }) => code));
  const added: TriageReason[] = (flags.flagDetails ?? [])
    .filter(({ code }) => !known.has(code))
    .map(({ code, text }) => ({ code, text }));
  const reasons = [...fromAi.reasons, ...added];
  const isOwnAction = recommendedAction !== fromAi.recommendedAction || !fromAi.recommendedActionText;
  const isDrafted =
    fromAi.machineDrafted === true ||
    ((isOwnAction || reasons.length === 0) && isTriageTextDrafted(language)) ||
    (added.length > 0 && isFlagTextDrafted(language));
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
    safetyNet: {
      added_flags: added.map(({ code }) => code),
      disagreement: priority !== fromAi.priority || recommendedAction !== fromAi.recommendedAction,
    },
  };
}

const withoutReason = (language: Language): TriageReason => ({
  code: 'assessed_by_ai',
  text: reasonText('assessed_by_ai', language),
});
