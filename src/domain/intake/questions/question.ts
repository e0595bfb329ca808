import type { z } from 'zod';
import type { PartialAnamnesis } from '../anamnesis/anamnesis.ts';
import type { QuestionType } from './question.schemas.ts';
import type { Language } from '../../../contract/language.ts';
import type { Condition } from '../red-flags/answer-logic.ts';

export type LocationItem = NonNullable<PartialAnamnesis['locations']>[number];

/** One row of a questionnaire. */
export interface Question {
  /** Stable, such as `q_duration`. */
  id: string;
  type: QuestionType;
  /** Dotted path into the anamnesis; `medications[].name` is asked once for every item of the list. */
  field: string;
  /** The enumeration that the answers of a radio or checkbox question are from. */
  options?: z.ZodEnum;
  /** Values that are not offered here, although the enumeration has them. */
  without?: readonly string[];
  /** Of a number, and of a text its fewest and most characters. */
  range?: { min?: number; max: number; step?: number };
  /** Asked only when this is met; absent, always. */
  when?: Condition;
  /** Of a question about every location: which ones it is asked of. */
  whenAt?: (location: LocationItem) => boolean;
  /** Without an answer the questionnaire is not complete; it cannot be skipped. */
  required?: true | Condition;
  /** Asked only while a red-flag rule needs the answer, and then required where "not sure" can be chosen. */
  safety?: true;
}

export interface QuestionText {
  text: string;
  help?: string;
  unit?: string;
}

/** Questions in the order in which they are asked, with their words. */
export interface Questionnaire {
  questions: readonly Question[];
  textOf: (id: string, language: Language) => QuestionText;
  /** Whether the words still wait for a native clinician's review. */
  isDrafted: (language: Language) => boolean;
}
