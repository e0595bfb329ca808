import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AiService, startAiService } from '../../apps/ai-service/server.ts';
import { aiService, type Photo } from './backends.ts';
import { interview } from './interview.ts';
import { demoPhoto, recordTranscript } from './record-transcripts.ts';
import { Language } from '../../../src/contract/language.ts';
import { parseAnamnesis } from '../../../src/domain/intake/anamnesis/parse-anamnesis.ts';
import { anyAnswer, diceFrom } from './random-patient.ts';

let service: AiService;
let photo: Photo;

beforeAll(async () => {
  [service, photo] = await Promise.all([startAiService(), demoPhoto()]);
});
afterAll(() => service.stop());

describe('the recorded intakes', () => {
  test.each(Language.options)('in %s are what the service answers today', async (language) => {
    const recorded = readFileSync(join(import.meta.dirname, `./transcripts/${language}.md`), 'utf8');
    expect(await recordTranscript(aiService(service.url, language), photo, language)).toBe(recorded);
  });
});

test('over HTTP, in every language, an intake ends with answers that a diagnosis accepts', async () => {
  for (const [seed, language] of Language.options.entries()) {
    const dice = diceFrom(seed + 1);
    const { steps, end, anamnesis, triage, diagnosis } = await interview(
      aiService(service.url, language),
      photo,
      (question) => (question.questionId === 'q_safety' ? ['none'] : anyAnswer(question, dice)),
    );
    expect(steps.length).toBeGreaterThan(5);
    const partial = end.emergency !== undefined;
    expect(parseAnamnesis(anamnesis, { language, imageUrlHosts: [], partial })).toMatchObject({ ok: true });
    expect(triage.recommendedActionText).toMatch(/\S/);
    expect(diagnosis?.predictions.length ?? 5).toBe(5);
  }
});
