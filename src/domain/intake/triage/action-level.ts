import type { RecommendedAction, TriageLevel } from './triage.schemas.ts';

/** How soon the patient is seen who does what an action says. New photos are no care: until they are judged nothing happens. */
const levels: Readonly<Record<RecommendedAction, TriageLevel>> = {
  call_emergency_services: 'emergency',
  same_day_medical_review: 'urgent_24h',
  physician_review_within_24h: 'urgent_24h',
  physician_review_within_2_weeks: 'soon_2_weeks',
  routine_physician_review: 'routine',
  self_care_advice: 'self_care',
  retake_photos: 'self_care',
};

export const levelOfAction = (action: RecommendedAction): TriageLevel => levels[action];

/** Whether an action, as it is stored, must be read at once. */
export const isUrgentAction = (action: string | null): boolean => {
  const level = (levels as Readonly<Record<string, TriageLevel>>)[action ?? ''];
  return level === 'emergency' || level === 'urgent_24h';
};
