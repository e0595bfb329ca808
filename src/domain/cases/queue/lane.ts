import type { Language } from '../../../contract/language.ts';

/** The pool of cases whose patient belongs to no other. */
export const generalPool = 'general';

/** Where a case waits; a queued case is in exactly one lane. */
export interface Lane {
  pool: string;
  language: Language;
}

/** The lane of a case that is queued for the first time: the patient's own pool, in the language of the case. */
export function laneOf(patient: { pool: string | null }, record: { language: Language }): Lane {
  return { pool: patient.pool ?? generalPool, language: record.language };
}
