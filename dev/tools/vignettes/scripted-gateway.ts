import type { NextQuestion, PartialAnamnesis, RedFlags, Triage } from '../../packages/client/src/index.ts';
import type { TriedGateway } from './tried-gateway.ts';
import type { Vignette } from './vignette.ts';

export const noFlags: RedFlags = { hasRedFlags: false, flags: [], urgency: 'low' };

export const oneFlag = (urgency: RedFlags['urgency'], code = 'some_flag'): RedFlags => ({
  hasRedFlags: true,
  flags: [code],
  urgency,
  flagDetails: [{ code, text: code, urgency, certainty: 'met' }],
});

export const levelOf = (priority: Triage['priority']): Triage => ({
  priority,
  urgencyScore: 0,
  recommendedAction: 'routine_physician_review',
  reasons: [{ code: 'because', text: 'Because.' }],
});

export const endOf = (emergency?: string[]): NextQuestion => ({
  questionId: '',
  questionText: '',
  questionType: 'text',
  fieldName: '',
  options: [],
  isComplete: true,
  ...(emergency && { emergency }),
});

export const questionOf = (
  questionId: string,
  fieldName: string,
  rest: Partial<NextQuestion> = {},
): NextQuestion => ({ ...endOf(), questionId, fieldName, isComplete: false, ...rest });

/** A gateway with replies from the test, and harmless ones by default. */
export function scriptedGateway(script: {
  redFlags?: (anamnesis: PartialAnamnesis) => RedFlags;
  triage?: (anamnesis: PartialAnamnesis) => Triage;
  /** In order, followed by the end. */
  questions?: readonly NextQuestion[];
  end?: NextQuestion;
}): TriedGateway {
  const asked = (script.questions ?? []).values();
  return {
    redFlags: async (anamnesis) => script.redFlags?.(anamnesis) ?? noFlags,
    triage: async (anamnesis) => script.triage?.(anamnesis) ?? levelOf('routine'),
    nextQuestion: async () => asked.next().value ?? script.end ?? endOf(),
    keepPhoto: async () => '/api/common/images/00000000-0000-7000-8000-000000000000',
    judgePhoto: async () => ({ isValid: true, score: 1, issues: [] }),
  };
}

export const vignetteOf = (
  must: Partial<Vignette['must']> = {},
  anamnesis: Vignette['anamnesis'] = {},
): Vignette => ({
  id: 'x001',
  title: 'A made-up patient',
  anamnesis,
  must: { minTriage: 'soon_2_weeks', maxTriage: 'emergency', ...must },
});
