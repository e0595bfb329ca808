import { RecommendedAction, type RedFlagUrgency, TriageLevel } from '../anamnesis/enums/assessment.ts';

/** What red flags of an urgency ask for at least. */
export interface TriageFloor {
  priority: TriageLevel;
  /** 0 to 10: where the scores of the level begin. */
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

/** Undefined for `low`, which asks for nothing by itself. */
export function triageFloor(urgency: RedFlagUrgency): TriageFloor | undefined {
  return floors[urgency];
}

const leastActions: Readonly<Record<TriageLevel, RecommendedAction>> = {
  emergency: 'call_emergency_services',
  urgent_24h: 'physician_review_within_24h',
  soon_2_weeks: 'physician_review_within_2_weeks',
  routine: 'retake_photos',
  self_care: 'retake_photos',
};

/** What a patient of this priority must be told at least; below two weeks any action will do. */
export function leastAction(priority: TriageLevel): RecommendedAction {
  return leastActions[priority];
}

export function moreUrgentLevel(a: TriageLevel, b: TriageLevel): TriageLevel {
  return TriageLevel.options.indexOf(a) <= TriageLevel.options.indexOf(b) ? a : b;
}

export function moreUrgentAction(a: RecommendedAction, b: RecommendedAction): RecommendedAction {
  return RecommendedAction.options.indexOf(a) <= RecommendedAction.options.indexOf(b) ? a : b;
}
