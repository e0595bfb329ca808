import type { IntakeState } from '../apply-answer.ts';
import type { KeyOptions, TenantOptions, TextOptions } from '../call-options.ts';
import { type NamedCalls, ofTenant, withKey } from '../named-calls.ts';
import type { DiagnosisForm, PartialAnamnesis } from '../schema.ts';

export type IntakeOptions = TextOptions & TenantOptions;

/** The questionnaire and what follows from its answers so far. All of them are safe to repeat: nothing is stored. */
export function intakeCalls({ ask, inLanguage }: NamedCalls) {
  const params = (options: IntakeOptions) => ({
    query: { ...inLanguage(options), ...ofTenant(options) },
  });
  return {
    nextQuestion: ({ anamnesis, skippedQuestions }: IntakeState, options: IntakeOptions = {}) => {
      const body = { ...anamnesis, skippedQuestions: [...skippedQuestions] };
      return ask('/api/ai/next_question', { body, params: params(options) }, options);
    },
    redFlags: (body: PartialAnamnesis, options: IntakeOptions = {}) =>
      ask('/api/ai/red_flags', { body, params: params(options) }, options),
    triage: (body: PartialAnamnesis, options: IntakeOptions = {}) =>
      ask('/api/ai/triage', { body, params: params(options) }, options),
    /** What it could be, without a photo. */
    predict: (body: PartialAnamnesis, options: IntakeOptions = {}) =>
      ask('/api/ai/predict_diagnosis', { body, params: params(options) }, options),
  };
}

/** A diagnosis from photo and anamnesis. */
export function diagnosisCalls({ post, inLanguage }: NamedCalls) {
  return {
    /** Stores photo, anamnesis and result. */
    create: (body: DiagnosisForm, options: IntakeOptions & KeyOptions = {}) =>
      post(
        '/api/diagnosis',
        {
          body,
          params: { query: { ...inLanguage(options), ...ofTenant(options) }, header: withKey(options) },
        },
        options,
      ),
  };
}
