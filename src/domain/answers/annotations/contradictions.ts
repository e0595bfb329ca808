import { z } from 'zod';
import type { RedFlagUrgency } from '../../intake/red-flags/red-flags.schemas.ts';
import { levelOfAction } from '../../intake/triage/action-level.ts';
import { type RecommendedAction, TriageLevel } from '../../intake/triage/triage.schemas.ts';

export const ContradictionCode = z
  .enum([
    'action_below_red_flags',
    'action_below_triage',
    'emergency_diagnosis_not_urgent',
    'confirmed_on_poor_photos',
  ])
  .meta({
    id: 'ContradictionCode',
    description:
      '`action_below_red_flags`: the action is less urgent than a red flag that is met. `action_below_triage`: it is less ' +
      'urgent than the triage level allows. `emergency_diagnosis_not_urgent`: a diagnosis that is an emergency, beside an action ' +
      'that can wait. `confirmed_on_poor_photos`: a confirmed diagnosis on photos that are not good enough.',
  });
export type ContradictionCode = z.infer<typeof ContradictionCode>;

export const Contradiction = z
  .object({
    code: ContradictionCode,
    is_emergency: z.boolean().meta({ description: 'Whether `confirm_emergency` is needed as well.' }),
  })
  .meta({ id: 'Contradiction', description: 'What of an answer contradicts the danger of its case.' });
export type Contradiction = z.infer<typeof Contradiction>;

/** What of a case and of an answer to it is judged: no text, and no template. */
export interface JudgedAnswer {
  action: RecommendedAction;
  /** Of the most urgent flag that is met; null where none is. One that is merely not excluded asks for nothing by itself. */
  metFlag: RedFlagUrgency | null;
  triageLevel: TriageLevel | null;
  /** Whether a diagnosis that is not ruled out is an emergency. */
  hasEmergencyDiagnosis: boolean;
  /** Whether a diagnosis is confirmed. */
  isConfirmed: boolean;
  photosOk: boolean;
}

/** The least urgent level of action that a met flag of an urgency allows; undefined where any is. */
export const leastByFlag: Readonly<Record<RedFlagUrgency, TriageLevel | undefined>> = {
  emergency: 'emergency',
  high: 'urgent_24h',
  medium: 'soon_2_weeks',
  low: undefined,
};

/**
 * The least urgent level of action that a triage level allows. A level says how soon a physician must look at the case, which the
 * signature ends: an urgent case may turn out to be harmless, but to send it home without any visit asks for a reason.
 */
export const leastByTriage: Readonly<Record<TriageLevel, TriageLevel | undefined>> = {
  emergency: 'emergency',
  urgent_24h: 'routine',
  soon_2_weeks: undefined,
  routine: undefined,
  self_care: undefined,
};

/** The least urgent level of action beside a diagnosis that is an emergency. */
const leastByEmergencyDiagnosis: TriageLevel = 'urgent_24h';

/** Codes of ICD-10 that are emergencies, with all codes below them; diseases of the catalogue have an urgency of their own. */
const emergencyCodes: Readonly<Record<string, string>> = {
  A39: 'meningococcal disease',
  A40: 'streptococcal sepsis',
  A41: 'other sepsis',
  'A48.0': 'gas gangrene',
  'A48.3': 'toxic shock syndrome',
  D65: 'purpura fulminans',
  'H05.0': 'orbital cellulitis',
  L00: 'scalded skin syndrome',
  'L51.1': 'Stevens-Johnson syndrome',
  'L51.2': 'toxic epidermal necrolysis',
  'L51.3': 'overlap of the two',
  'M72.6': 'necrotising fasciitis',
  'N49.3': 'Fournier gangrene',
  'T78.0': 'anaphylaxis, food',
  'T78.2': 'anaphylaxis',
  'T80.5': 'anaphylaxis, serum',
  'T88.6': 'anaphylaxis, medicine',
};

/** Whether a code of ICD-10 is that of an emergency, with or without its dot. */
export function isEmergencyCode(code: string): boolean {
  const plain = (each: string) => each.replaceAll(/[.\s]/g, '').toUpperCase();
  return Object.keys(emergencyCodes).some((each) => plain(code).startsWith(plain(each)));
}

const isBelow = (action: RecommendedAction, least: TriageLevel | undefined): boolean =>
  least !== undefined &&
  TriageLevel.options.indexOf(levelOfAction(action)) > TriageLevel.options.indexOf(least);

/** What contradicts the danger. Flags come before the level that follows from them: one reason answers both. */
export function contradictionsOf(answer: JudgedAnswer): Contradiction[] {
  const { action, metFlag, triageLevel } = answer;
  const found: Contradiction[] = [];
  if (metFlag !== null && isBelow(action, leastByFlag[metFlag])) {
    found.push({ code: 'action_below_red_flags', is_emergency: metFlag === 'emergency' });
  }
  const isEmergencyLevel = triageLevel === 'emergency';
  const isAnswered = found.some(({ is_emergency: isEmergency }) => isEmergency || !isEmergencyLevel);
  if (triageLevel !== null && !isAnswered && isBelow(action, leastByTriage[triageLevel])) {
    found.push({ code: 'action_below_triage', is_emergency: isEmergencyLevel });
  }
  if (answer.hasEmergencyDiagnosis && isBelow(action, leastByEmergencyDiagnosis)) {
    found.push({ code: 'emergency_diagnosis_not_urgent', is_emergency: true });
  }
  if (answer.isConfirmed && !answer.photosOk) {
    found.push({ code: 'confirmed_on_poor_photos', is_emergency: false });
  }
  return found;
}
