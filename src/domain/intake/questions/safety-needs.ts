import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import { type AnswerField, answerAt, type SectionField } from '../red-flags/answer-logic.ts';
import { evaluateRules, type RuleVerdict } from '../red-flags/evaluate-red-flags.ts';
import { compareUrgency, isUrgent } from '../red-flags/red-flags.schemas.ts';
import { needsExactPlace } from './exact-places.ts';
import { isPaired } from './paired-places.ts';

/** Fields of the anamnesis that the red-flag rules need next. */
export interface SafetyNeeds {
  /** Fields that an undecided rule asks for next. */
  open: ReadonlySet<string>;
  /** Those that a rule of urgency emergency asks for. */
  emergency: ReadonlySet<string>;
  /** Those that an emergency or high rule needs to be excluded, the most urgent rule first. */
  steering: readonly string[];
}

export function safetyNeedsOf(anamnesis: PartialAnamnesis): SafetyNeeds {
  // A flag of low urgency is not worth a question.
  const verdicts = evaluateRules(anamnesis).filter(({ rule }) => rule.urgency !== 'low');
  const next = ({ openFields }: RuleVerdict) =>
    openFields.filter((field) => !isAnswered(anamnesis, field)).slice(0, 1);
  const steering = verdicts
    .filter(({ verdict, rule }) => verdict === 'not_excluded' && isUrgent(rule.urgency))
    .toSorted((a, b) => compareUrgency(b.rule.urgency, a.rule.urgency));
  return {
    open: new Set(verdicts.flatMap(next)),
    emergency: new Set(verdicts.filter(({ rule }) => rule.urgency === 'emergency').flatMap(next)),
    steering: [...new Set(steering.flatMap(next))],
  };
}

/** "Not sure" is an answer: asking again would change nothing. */
function isAnswered(anamnesis: PartialAnamnesis, field: AnswerField): boolean {
  const { locations = [], medications } = anamnesis;
  if (field === 'medications') return medications !== undefined;
  const [list, key = ''] = field.split('[].');
  if (list === 'medications') return (medications ?? []).every((item) => Object.hasOwn(item, key));
  if (field === 'locations[].primary') return locations.length > 0;
  if (field === 'locations[].side')
    return locations.every((item) => !isPaired(item) || Object.hasOwn(item, key));
  if (field === 'locations[].secondary')
    return locations.every((item) => !needsExactPlace(item) || Object.hasOwn(item, key));
  if (list === 'locations') return locations.every((item) => Object.hasOwn(item, key));
  if (field === 'patient.ageYears' && anamnesis.patient?.ageGroup !== undefined) return true;
  return answerAt(anamnesis, field as SectionField) !== undefined;
}
