import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import type {
  RecommendedAction,
  TriageLevel,
  Triage,
} from '../../../../src/domain/intake/triage/triage.schemas.ts';
import type { Language } from '../../../../src/contract/language.ts';
import { has } from '../../../../src/domain/intake/red-flags/conditions.ts';
import { worsening } from '../../../../src/domain/intake/red-flags/findings/illness.ts';
import { all, not, some } from '../../../../src/domain/intake/red-flags/answer-logic.ts';
import { evaluateRedFlags } from '../../../../src/domain/intake/red-flags/evaluate-red-flags.ts';
import { isFlagTextDrafted } from '../../../../src/domain/intake/red-flags/flag-text.ts';
import { actionText, isTriageTextDrafted } from '../../../../src/domain/intake/triage/action-text.ts';
import { type RankedDisease, rankDiseases } from '../diagnosis/rank.ts';
import { redFlagRules } from '../../../../src/domain/intake/red-flags/rules/red-flag-rules.ts';
import { areReasonsDrafted, type ReasonCode, reasonText } from './reason-text.ts';
import { hasInvalidPhoto, isAnsweredInFull, isOrdinaryCase } from './self-care.ts';

/** Score range of a level: its start, and its end however many flags there are. */
const scores: Readonly<Record<TriageLevel, readonly [base: number, cap: number]>> = {
  emergency: [10, 10],
  urgent_24h: [8, 9.5],
  soon_2_weeks: [5, 7.5],
  routine: [2, 4],
  self_care: [0, 1],
};

interface Verdict {
  priority: TriageLevel;
  recommendedAction: RecommendedAction;
  /** Reasons besides the flags. */
  because?: ReasonCode;
}

/**
 * How urgent a case is: first by red flags, then by likely diseases. Missing facts never make a case less urgent: self-care is
 * advised only with every required answer and a usable photo.
 */
export function triage(anamnesis: PartialAnamnesis, language: Language = anamnesis.language ?? 'en'): Triage {
  const flags = evaluateRedFlags(anamnesis, redFlagRules, language);
  const { priority, recommendedAction, because } = judge(anamnesis, flags.urgency, flags.flags.length);
  const codes: ReasonCode[] = [
    ...(because === undefined ? [] : [because]),
    ...(canWait.has(priority) && !isAnsweredInFull(anamnesis) ? (['answers_missing'] as const) : []),
    ...(hasInvalidPhoto(anamnesis) ? (['retake_photos'] as const) : []),
  ];
  const [base, cap] = scores[priority];
  const isDrafted = [isFlagTextDrafted, isTriageTextDrafted, areReasonsDrafted].some((it) => it(language));
  return {
    priority,
    urgencyScore: Math.min(cap, base + 0.5 * Math.max(0, flags.flags.length - 1)),
    recommendedAction,
    reasons: [
      ...flags.flagDetails.map(({ code, text }) => ({ code, text })),
      ...codes.map((code) => ({ code, text: reasonText(code, language) })),
    ],
    recommendedActionText: actionText(recommendedAction, language),
    ...(isDrafted && { machineDrafted: true }),
  };
}

/** Levels at which more answers are worth more than immediate help. */
const canWait: ReadonlySet<TriageLevel> = new Set(['soon_2_weeks', 'routine']);

/** The most urgent level that applies. Sources: NICE NG12 for the two weeks; the limits are ours. */
function judge(anamnesis: PartialAnamnesis, urgency: string, flagCount: number): Verdict {
  if (urgency === 'emergency') return { priority: 'emergency', recommendedAction: 'call_emergency_services' };
  if (urgency === 'high') return { priority: 'urgent_24h', recommendedAction: 'same_day_medical_review' };
  const ranked = rankDiseases(anamnesis);
  const [top] = ranked;
  const topIs = (typicalUrgency: string, probability: number) =>
    top?.disease.typicalUrgency === typicalUrgency && top.probability >= probability;

  const isUrgentLikely = share(ranked, ({ disease }) => urgentDiseases.has(disease.typicalUrgency)) >= 0.35;
  // The urgent diseases of the catalogue are acute; a year, or months without change, excludes them.
  if (isUrgentLikely && hasLastedLong(anamnesis).value !== true) {
    return {
      priority: 'urgent_24h',
      recommendedAction: 'physician_review_within_24h',
      because: 'urgent_disease_likely',
    };
  }
  const soon: Verdict = { priority: 'soon_2_weeks', recommendedAction: 'physician_review_within_2_weeks' };
  if (share(ranked, ({ disease }) => disease.category === 'malignant') >= 0.15) {
    return { ...soon, because: 'skin_cancer_possible' };
  }
  if (topIs('soon', 0.25)) return { ...soon, because: 'soon_disease_likely' };
  if (urgency === 'medium') return soon;
  if (flagCount === 0 && topIs('self_care', 0.5) && isOrdinaryCase(anamnesis)) {
    return { priority: 'self_care', recommendedAction: 'self_care_advice', because: 'self_care_likely' };
  }
  return {
    priority: 'routine',
    recommendedAction: 'routine_physician_review',
    because: 'nothing_urgent_found',
  };
}

const hasLastedLong = some(
  has('complaint.duration', 'more_than_one_year', 'more_than_five_years', 'since_childhood'),
  all(has('complaint.duration', 'three_to_twelve_months'), not(worsening)),
);

const urgentDiseases = new Set(['urgent', 'emergency']);

function share(ranked: readonly RankedDisease[], counts: (it: RankedDisease) => boolean): number {
  return ranked.filter(counts).reduce((sum, { probability }) => sum + probability, 0);
}
