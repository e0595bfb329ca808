import type { PartialAnamnesis } from '../anamnesis/anamnesis.ts';
import type { RedFlagUrgency, TriageLevel } from '../anamnesis/enums/assessment.ts';
import type { Language } from '../../../contract/language.ts';
import { evaluateRedFlags } from '../red-flags/evaluate-red-flags.ts';
import { flagText } from '../red-flags/flag-text.ts';
import { mergeRedFlags, type SafetyNetRecord } from '../red-flags/merge-red-flags.ts';
import { redFlagRules } from '../red-flags/red-flag-rules.ts';
import { compareUrgency, type RedFlags } from '../red-flags/red-flags.ts';
import { liftTriage } from './lift-triage.ts';
import type { Triage } from './triage.ts';

/** What the AI service said about one anamnesis; undefined what it was not asked for or did not answer. */
export interface AiAssessment {
  redFlags: RedFlags | undefined;
  triage: Triage | undefined;
}

/**
 * Red flags of the AI service, of our own rules and of an urgent level that the AI service gives alone
 * (`urgent_by_ai`), so that flags and level never contradict each other, even when they are asked for separately.
 */
export function assessRedFlags(
  { redFlags: fromAi = noFlags, triage }: AiAssessment,
  anamnesis: PartialAnamnesis,
  language: Language,
): { redFlags: RedFlags; safetyNet: SafetyNetRecord } {
  const own = evaluateRedFlags(anamnesis, redFlagRules, language);
  const { redFlags, safetyNet } = mergeRedFlags(fromAi, own);
  return { redFlags: withCertainty(withUrgencyOfAi(redFlags, triage?.priority, language)), safetyNet };
}

/** The AI service's level, never less urgent than any flag of either side, and with a reason beside it. */
export function assessTriage(
  { redFlags, triage }: { redFlags: RedFlags | undefined; triage: Triage },
  anamnesis: PartialAnamnesis,
  language: Language,
): { triage: Triage; safetyNet: SafetyNetRecord } {
  const { redFlags: flags } = assessRedFlags({ redFlags, triage }, anamnesis, language);
  return liftTriage(triage, flags, language);
}

const noFlags: RedFlags = { hasRedFlags: false, flags: [], urgency: 'low' };

const urgencyOfLevel: Readonly<Partial<Record<TriageLevel, RedFlagUrgency>>> = {
  emergency: 'emergency',
  urgent_24h: 'high',
};

/** An urgency of high and more that no flag stands for gets one of its own. */
function withUrgencyOfAi(redFlags: RedFlags, level: TriageLevel | undefined, language: Language): RedFlags {
  const byLevel = level === undefined ? undefined : urgencyOfLevel[level];
  const hasFlag = redFlags.flags.length > 0;
  const isCovered = byLevel === undefined || (hasFlag && compareUrgency(redFlags.urgency, byLevel) >= 0);
  const isBare = !hasFlag && compareUrgency(redFlags.urgency, 'high') >= 0;
  if (isCovered && !isBare) return redFlags;
  const urgency = [redFlags.urgency, byLevel ?? 'low'].toSorted(compareUrgency).at(-1) ?? 'high';
  const flag = {
    code: 'urgent_by_ai',
    text: flagText('urgent_by_ai', language),
    urgency,
    certainty: 'met' as const,
  };
  return {
    ...redFlags,
    hasRedFlags: true,
    flags: [flag.code, ...redFlags.flags],
    urgency,
    flagDetails: [flag, ...(redFlags.flagDetails ?? [])],
  };
}

/** An AI service that knows no certainty speaks of what it has found. */
function withCertainty({ flagDetails, ...redFlags }: RedFlags): RedFlags {
  if (flagDetails === undefined) return redFlags;
  return {
    ...redFlags,
    flagDetails: flagDetails.map((detail) => ({ ...detail, certainty: detail.certainty ?? 'met' })),
  };
}
