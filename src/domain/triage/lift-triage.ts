import type { Language } from '../anamnesis/enums/patient.ts';
import { isFlagTextDrafted } from '../red-flags/flag-text.ts';
import type { SafetyNetRecord } from '../red-flags/merge-red-flags.ts';
import type { RedFlags } from '../red-flags/red-flags.ts';
import { actionText, isActionTextDrafted } from './action-text.ts';
import { leastAction, moreUrgentAction, moreUrgentLevel, triageFloor } from './triage-level.ts';
import type { Triage } from './triage.ts';

/**
 * The AI service's triage, lifted to what our own red flags ask for: an emergency flag makes it `emergency`, a high
 * one at least `urgent_24h`. Nothing is ever lowered; our flags are added to the reasons. An action that says less
 * than its own priority (care at home in an emergency) is lifted, too.
 *
 * @param own flags of our own rules, with their details in `language`.
 */
export function liftTriage(
  fromAi: Triage,
  own: RedFlags,
  language: Language,
): { triage: Triage; safetyNet: SafetyNetRecord } {
  const floor = own.flags.length === 0 ? undefined : triageFloor(own.urgency);
  const priority = moreUrgentLevel(fromAi.priority, floor?.priority ?? fromAi.priority);
  const urgencyScore = Math.max(fromAi.urgencyScore, floor?.urgencyScore ?? 0);
  const recommendedAction = moreUrgentAction(
    moreUrgentAction(fromAi.recommendedAction, leastAction(priority)),
    floor?.recommendedAction ?? leastAction(priority),
  );
  const known = new Set(fromAi.reasons.map(({ code }) => code));
  const added = (own.flagDetails ?? []).filter(({ code }) => !known.has(code));
  const ownAction = recommendedAction !== fromAi.recommendedAction || !fromAi.recommendedActionText;
  const machineDrafted =
    fromAi.machineDrafted === true ||
    (ownAction && isActionTextDrafted(language)) ||
    (added.length > 0 && isFlagTextDrafted(language));
  return {
    triage: {
      priority,
      urgencyScore,
      recommendedAction,
      reasons: [...fromAi.reasons, ...added.map(({ code, text }) => ({ code, text }))],
      recommendedActionText: ownAction
        ? actionText(recommendedAction, language)
        : fromAi.recommendedActionText,
      ...(machineDrafted && { machineDrafted }),
    },
    safetyNet: {
      added_flags: added.map(({ code }) => code),
      disagreement: priority !== fromAi.priority || recommendedAction !== fromAi.recommendedAction,
    },
  };
}
