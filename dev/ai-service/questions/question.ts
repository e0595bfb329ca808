import type { z } from 'zod';
import type { PartialAnamnesis } from '../../../src/domain/anamnesis/anamnesis.ts';
import type { QuestionType } from '../../../src/domain/anamnesis/enums/assessment.ts';
import type { Findings } from '../../../src/domain/red-flags/findings.ts';
import type texts from '../messages/questions/en.json';

export type LocationItem = NonNullable<PartialAnamnesis['locations']>[number];

/** One row of the questionnaire. */
export interface Question {
  id: keyof typeof texts;
  type: QuestionType;
  /** Dotted path into the anamnesis; `medications[].name` is asked once for every item of the list. */
  field: string;
  /** The enumeration that the answers of a radio or checkbox question are from. */
  options?: z.ZodEnum;
  /** Of a number, and of a text its fewest and most characters. */
  range?: { min?: number; max: number; step?: number };
  /** Asked only when this holds; absent, always. */
  when?: (findings: Findings) => boolean;
  /** Of a question about every location: which ones it is asked of. */
  whenAt?: (location: LocationItem) => boolean;
  /** Without an answer the questionnaire is not complete; it cannot be skipped. */
  required?: true | ((findings: Findings) => boolean);
  /** A red-flag rule reads the answer, so that the question is asked even when many were asked before. */
  readByRedFlags?: true;
}
