import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gateway } from '../../dev/tools/intake/backends.ts';
import { interview } from '../../dev/tools/intake/interview.ts';
import { demoPhoto, recordTranscript } from '../../dev/tools/intake/record-transcripts.ts';
import { Language } from '../../src/contract/language.ts';
import { anyAnswer, diceFrom } from '../../dev/tools/intake/random-patient.ts';
import { testApp } from '../support/app.ts';
import { patientOf } from '../support/client.ts';

// A portal that knows nothing but the gateway, from the first question to the result.

const app = await testApp({ ai: 'real' });
const { api } = await patientOf(app);
const photo = await demoPhoto();

test.each(Language.options)(
  'intakes in %s give through the gateway what was recorded from the AI service',
  async (language) => {
    const file = join(import.meta.dirname, `../../dev/tools/intake/transcripts/${language}.md`);
    const backend = gateway(api, language);
    expect(await recordTranscript(backend, photo, language)).toBe(readFileSync(file, 'utf8'));
  },
);

test('random patients reach a diagnosis, or the advice of an emergency', async () => {
  const ends = { diagnosis: 0, emergency: 0 };
  for (let seed = 1; seed <= 8; seed++) {
    const dice = diceFrom(seed);
    const language = Language.options[dice(4)] ?? 'en';
    const { steps, end, redFlags, triage, diagnosis } = await interview(
      gateway(api, language),
      photo,
      (question) =>
        question.questionId === 'q_safety' && seed % 4 > 0 ? ['none'] : anyAnswer(question, dice),
    );
    expect(steps.length).toBeLessThanOrEqual(70);
    if (end.emergency === undefined) {
      ends.diagnosis += 1;
      expect(diagnosis?.predictions).toHaveLength(5);
      expect(diagnosis?.red_flags.flags).toEqual(redFlags.flags);
    } else {
      ends.emergency += 1;
      expect(redFlags.flags).toEqual(expect.arrayContaining(end.emergency));
      expect(triage).toMatchObject({ priority: 'emergency', recommendedAction: 'call_emergency_services' });
    }
  }
  expect(ends.diagnosis).toBeGreaterThan(1);
  expect(ends.emergency).toBeGreaterThan(0);
});
