import type { z } from 'zod';
import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
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
  /** The enumeration of the answers to a radio or checkbox question. */
  options?: z.ZodEnum;
  /** Values of the enumeration that are not offered here. */
  without?: readonly string[];
  /** Range of a number; for a text its fewest and most characters. */
  range?: { min?: number; max: number; step?: number };
  /** Asked only when this is met; absent, always. */
  when?: Condition;
  /** For a question about every location: the ones that it applies to. */
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

/** Questions in the order in which they are asked, with their texts. */
export interface Questionnaire {
  questions: readonly Question[];
  textOf: (id: string, language: Language) => QuestionText;
  /** Whether the texts still await a native clinician's review. */
  isDrafted: (language: Language) => boolean;
}
