import { z } from 'zod';
import { fieldErrors } from '../../../lib/schema/field-errors.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import type { Language } from '../../../contract/language.ts';
import { parseAnamnesis } from '../anamnesis/parse-anamnesis.ts';
import { longestQuestionId } from './question.schemas.ts';

/** Questions that the patient skipped, by `questionId`. */
export const SkippedQuestions = z
  // Of any form: the questions are those of any AI service.
  .array(z.string().min(1).max(longestQuestionId))
  .max(200)
  .refine((ids) => new Set(ids).size === ids.length, {
    error: 'Each question at most once.',
    when: ({ value }) => Array.isArray(value),
  })
  .meta({
    id: 'SkippedQuestions',
    description: 'Questions that the patient skipped, by `questionId`.',
    uniqueItems: true,
  });

/** The body as published; `splitNextQuestionRequest` and then `parseAnamnesis` check it. */
export const NextQuestionBody = PartialAnamnesis.extend({
  skippedQuestions: SkippedQuestions.optional(),
}).meta({
  id: 'NextQuestionRequest',
  description: 'The answers collected so far, and the skipped questions.',
});

export interface NextQuestionRequest {
  /** The body without `skippedQuestions`, not checked yet. */
  anamnesis: Record<string, unknown>;
  skippedQuestions: string[];
  /** Errors in `skippedQuestions`. */
  errors: FieldError[];
}

/**
 * The body of `next_question` is an anamnesis with one more member, `skippedQuestions`; this takes the two apart. The
 * anamnesis is left to `parseAnamnesis`, so that one reply can name the errors of both.
 */
export function splitNextQuestionRequest(body: Record<string, unknown>): NextQuestionRequest {
  const { skippedQuestions = [], ...anamnesis } = body;
  const parsed = SkippedQuestions.safeParse(skippedQuestions);
  if (parsed.success) return { anamnesis, skippedQuestions: parsed.data, errors: [] };
  const issues = parsed.error.issues.map((issue) => ({
    ...issue,
    path: ['skippedQuestions', ...issue.path],
  }));
  return {
    anamnesis,
    skippedQuestions: [],
    errors: fieldErrors(new z.ZodError(issues), { skippedQuestions }),
  };
}

/**
 * Answers so far and skipped questions, both checked, in the form that the AI service takes.
 * @throws {Problem} `anamnesis_invalid` naming every wrong field of both.
 */
export function readNextQuestionRequest(
  body: Record<string, unknown>,
  options: { language: Language; imageUrlHosts: readonly string[] },
): PartialAnamnesis & { skippedQuestions: string[] } {
  const { anamnesis, skippedQuestions, errors } = splitNextQuestionRequest(body);
  const parsed = parseAnamnesis(anamnesis, { ...options, partial: true });
  const refused = [...(parsed.ok ? [] : parsed.errors), ...errors];
  if (!parsed.ok || refused.length > 0) throw new Problem('anamnesis_invalid', { errors: refused });
  return { ...parsed.value, skippedQuestions };
}
