import type { AnswerData } from './answer-data.ts';

const diagnosis = { name: 'Eczema', code: 'L20.9', certainty: 'probable', certainty_code: 'probable' };

/** As much as an answer can have: a template that is quick with this is quick with every answer. */
export const fullData: AnswerData = {
  patient: { display_name: 'Dana Example', age_years: 42, gender: 'Female', gender_code: 'female' },
  case: { id: 1042, submitted_on: '2026-11-22', location: 'Elbow', duration: 'Less than one week' },
  diagnosis,
  diagnoses: Array.from({ length: 5 }, (_, index) => ({ ...diagnosis, is_primary: index === 0 })),
  severity: 'mild',
  severity_code: 'mild',
  action: { text: 'Make a regular appointment with a doctor.', code: 'routine_physician_review' },
  recommendation_text: 'Keep the skin moist.',
  patient_message: 'It looks well.',
  treatments: Array.from({ length: 10 }, () => ({
    name: 'Hydrocortisone 1%',
    route: 'on the skin',
    dosage: 'twice a day',
    duration: '7 days',
  })),
  follow_up: { in_days: 14, on: '2026-12-07', how: 'in person' },
  referral: { type: 'Dermatologist', urgency: 'within two weeks', text: 'For a closer look.' },
  red_flags: Array.from({ length: 40 }, () => ({ text: 'Fever together with a rash' })),
  physician: { display_name: 'Dr. Noor Example', employee_id: '7', signature: 'Skin clinic' },
  tenant: { name: 'Example clinic' },
  today: '2026-11-23',
};
