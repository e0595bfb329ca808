import type { Page } from 'playwright-core';
import type { Diagnosis, NextQuestion, RedFlags, Triage } from '../../dev/packages/client/src/index.ts';

/** What the gateway answers in a scripted intake; what is not named raises nothing. */
export interface Script {
  questions: readonly (Partial<NextQuestion> & Pick<NextQuestion, 'questionId' | 'fieldName'>)[];
  redFlags?: RedFlags;
  triage?: Partial<Triage>;
  diagnosis?: Partial<Diagnosis>;
}

const noFlags: RedFlags = { hasRedFlags: false, flags: [], urgency: 'low' };
const routine: Triage = {
  priority: 'routine',
  urgencyScore: 1,
  recommendedAction: 'routine_physician_review',
  reasons: [],
};
const predictions: Diagnosis['predictions'] = [
  {
    disease: 'melanoma',
    name: 'Melanoma',
    probability: 0.724,
    confidence: 'high',
    icd10: 'C43.9',
    explanation: ['“Size” speaks for it (lesion.changes, ×8.0)'],
  },
];

interface Replies {
  route: string;
  reply: (body: Record<string, unknown>) => object | Buffer;
}

/** Answers in the gateway's place, so that a page can be seen with replies that no rule of ours would give. */
export async function scriptGateway(page: Page, origin: string, script: Script): Promise<void> {
  const redFlags = script.redFlags ?? noFlags;
  const image_validity = { isValid: true, score: 0.87, issues: [] };
  const replies: Replies[] = [
    { route: '**/api/ai/next_question?*', reply: (body) => nextOf(script.questions, body) },
    { route: '**/api/ai/red_flags?*', reply: () => redFlags },
    { route: '**/api/ai/triage?*', reply: () => ({ ...routine, ...script.triage }) },
    { route: '**/api/common/images/**', reply: () => Buffer.from('no picture') },
    {
      route: '**/api/diagnosis?*',
      reply: () => ({ predictions, red_flags: redFlags, image_validity, ...script.diagnosis }),
    },
  ];
  for (const { route, reply } of replies) {
    await page.route(route, async (call) => {
      const body = route.includes('/ai/') ? (call.request().postDataJSON() as Record<string, unknown>) : {};
      const answer = reply(body);
      await call.fulfill({
        headers: { 'access-control-allow-origin': origin },
        ...(Buffer.isBuffer(answer) ? { body: answer, contentType: 'image/jpeg' } : { json: answer }),
      });
    });
  }
}

/** The first question that was neither answered nor skipped; the end after the last one. */
function nextOf(questions: Script['questions'], body: Record<string, unknown>): NextQuestion {
  const skipped = (body['skippedQuestions'] ?? []) as readonly string[];
  const next = questions.find(
    ({ questionId, fieldName }) => !skipped.includes(questionId) && valueAt(body, fieldName) === undefined,
  );
  const words = { questionText: next?.questionId ?? '', options: ['Yes', 'No'], optionValues: ['yes', 'no'] };
  if (next !== undefined) return { isComplete: false, questionType: 'radio', ...words, ...next };
  return { isComplete: true, questionType: 'text', questionId: '', fieldName: '', ...words };
}

const valueAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
