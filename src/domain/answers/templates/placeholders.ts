import type { Names } from '../../../lib/text-template/check-names.ts';
import type { AnswerData, DiagnosisData } from './answer-data.ts';

/** The names of data: an object of the same shape, a list as its item in brackets. */
type NamesOf<T> = [NonNullable<T>] extends [readonly (infer Item)[]]
  ? readonly [NamesOf<Item>]
  : [NonNullable<T>] extends [object]
    ? { readonly [Key in keyof NonNullable<T>]: NamesOf<NonNullable<T>[Key]> }
    : 'value';

const diagnosis = {
  name: 'value',
  code: 'value',
  certainty: 'value',
  certainty_code: 'value',
} as const satisfies NamesOf<DiagnosisData>;

/** Everything that templates may name. */
export const placeholders = {
  patient: { display_name: 'value', age_years: 'value', gender: 'value', gender_code: 'value' },
  case: { id: 'value', submitted_on: 'value', location: 'value', duration: 'value' },
  diagnosis,
  diagnoses: [{ ...diagnosis, is_primary: 'value' }],
  severity: 'value',
  severity_code: 'value',
  action: { text: 'value', code: 'value' },
  recommendation_text: 'value',
  patient_message: 'value',
  treatments: [{ name: 'value', route: 'value', dosage: 'value', duration: 'value' }],
  follow_up: { in_days: 'value', on: 'value', how: 'value' },
  referral: { type: 'value', urgency: 'value', text: 'value' },
  red_flags: [{ text: 'value' }],
  physician: { display_name: 'value', employee_id: 'value', signature: 'value' },
  tenant: { name: 'value' },
  today: 'value',
} as const satisfies NamesOf<Omit<AnswerData, 'diagnosis'>> & { readonly [name: string]: Names };
