/** A diagnosis in words. */
export interface DiagnosisData {
  name: string;
  /** The code of ICD-10 or of a vendor; null where there is none that people know. */
  code: string | null;
  certainty: string;
  certainty_code: string;
}

/**
 * What a text can say of an answer: the placeholders of templates. Words are in the language of the text, codes are for
 * conditions. Days are `YYYY-MM-DD`. What was not stated is null. Nothing but plain own properties.
 */
export interface AnswerData {
  patient: {
    display_name: string | null;
    age_years: number | null;
    gender: string | null;
    gender_code: string | null;
  };
  case: {
    id: number | null;
    submitted_on: string | null;
    location: string | null;
    duration: string | null;
  };
  /** The primary one. */
  diagnosis: DiagnosisData | { [Key in keyof DiagnosisData]: null };
  diagnoses: (DiagnosisData & { is_primary: boolean })[];
  severity: string | null;
  severity_code: string | null;
  action: { text: string | null; code: string | null };
  recommendation_text: string | null;
  patient_message: string | null;
  treatments: { name: string; route: string | null; dosage: string | null; duration: string | null }[];
  follow_up: { in_days: number | null; on: string | null; how: string | null };
  referral: { type: string | null; urgency: string | null; text: string | null };
  red_flags: { text: string }[];
  physician: { display_name: string | null; employee_id: string | null; signature: string | null };
  tenant: { name: string };
  today: string;
}

/** What a physician states besides diagnoses. */
export type StatementFacts = Pick<
  AnswerData,
  | 'severity'
  | 'severity_code'
  | 'action'
  | 'recommendation_text'
  | 'patient_message'
  | 'treatments'
  | 'follow_up'
  | 'referral'
>;

/** Of a text that states nothing but diagnoses. */
export const noStatements: StatementFacts = {
  severity: null,
  severity_code: null,
  action: { text: null, code: null },
  recommendation_text: null,
  patient_message: null,
  treatments: [],
  follow_up: { in_days: null, on: null, how: null },
  referral: { type: null, urgency: null, text: null },
};

/**
 * The day of a point in time where the clinic is.
 * @param timeZone an IANA name
 */
export function dayOf(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

/** The day that comes so many days after another. */
export function daysAfter(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}
