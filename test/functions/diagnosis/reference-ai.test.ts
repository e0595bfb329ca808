import { describe, expect, test } from 'vitest';
import { register } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { anamnesis, anamnesisPart, emergencyAnamnesis, imagePart, upload } from '../../support/diagnosis.ts';
import { flatImage, type PhotoFormat, skinPhoto } from '../../support/images.ts';

// From a photo and a questionnaire to a diagnosis with the reference AI service, a process of its own.

const app = await testApp({ ai: 'real' });
const { access_token: token } = await register(app);

interface Diagnosis {
  predictions: {
    disease: string;
    probability: number;
    confidence: string;
    name: string;
    explanation: string[];
  }[];
  red_flags: { hasRedFlags: boolean; flags: string[]; urgency: string; flagDetails: { text: string }[] };
  image_validity: {
    isValid: boolean;
    score: number;
    issues: string[];
    issueDetails: { code: string; text: string }[];
  };
}

async function diagnose(photo: Uint8Array, answers: unknown = anamnesis, lang = 'en'): Promise<Diagnosis> {
  const parts = [imagePart(photo), anamnesisPart(answers)];
  const reply = await app.request(`/api/diagnosis?lang=${lang}`, upload(parts, { token }));
  expect(reply.status).toBe(200);
  return (await reply.json()) as Diagnosis;
}

describe.each<PhotoFormat>(['jpeg', 'png'])('a good photo as %s', async (format) => {
  const { predictions, red_flags, image_validity } = await diagnose(await skinPhoto({ format }));

  test('gets predictions, the most probable first', () => {
    expect(predictions.length).toBeGreaterThan(0);
    const probabilities = predictions.map(({ probability }) => probability);
    expect(probabilities).toEqual(probabilities.toSorted((a, b) => b - a));
    expect(probabilities.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1 + 1e-9);
    for (const { disease, confidence, name, explanation } of predictions) {
      expect(disease).toMatch(/^[a-z0-9_]+$/);
      expect(['low', 'medium', 'high']).toContain(confidence);
      expect(name).not.toBe('');
      expect(explanation.length).toBeGreaterThan(0);
    }
  });

  test('raises no flag without a sign of danger', () => {
    expect(red_flags).toMatchObject({ hasRedFlags: false, flags: [], urgency: 'low' });
  });

  test('is valid', () => {
    expect(image_validity).toMatchObject({ isValid: true, issues: [] });
    expect(image_validity.score).toBeGreaterThan(0);
  });
});

test('signs of an emergency are flagged as one', async () => {
  const { red_flags } = await diagnose(await skinPhoto(), emergencyAnamnesis);
  expect(red_flags).toMatchObject({ hasRedFlags: true, urgency: 'emergency' });
  expect(red_flags.flags).toContain('airway_or_breathing');
});

test('answers change predictions: wheals since yesterday suggest urticaria', async () => {
  const photo = await skinPhoto();
  const wheals = {
    ...anamnesis,
    complaint: {
      ...(anamnesis['complaint'] as object),
      duration: 'one_day',
      onsetSpeed: 'hours',
      course: 'first_episode',
    },
    lesion: { ...(anamnesis['lesion'] as object), lesionTypes: ['wheal'], textures: [], surfaceChanges: [] },
    history: { skinConditions: ['none'], medicalConditions: ['none'] },
  };
  const [chronic, acute] = [await diagnose(photo), await diagnose(photo, wheals)];
  const urticaria = ({ predictions }: Diagnosis) =>
    predictions.find(({ disease }) => disease === 'urticaria')?.probability ?? 0;
  expect(urticaria(acute)).toBeGreaterThan(urticaria(chronic));
});

test('a blank photo is 200 and invalid, with reasons in the language of the request', async () => {
  const wall = await flatImage();
  const english = (await diagnose(wall)).image_validity;
  const spanish = (await diagnose(wall, anamnesis, 'es')).image_validity;
  expect(english.isValid).toBe(false);
  expect(english.issues.length).toBeGreaterThan(0);
  expect(spanish.issues).toEqual(english.issues);
  expect(english.issueDetails.map(({ code }) => code)).toEqual(english.issues);
  expect(spanish.issueDetails[0]?.text).not.toBe(english.issueDetails[0]?.text);
});

test.each(['en', 'he', 'ar', 'es'])('names of diseases come in %s', async (lang) => {
  const { predictions } = await diagnose(await skinPhoto(), anamnesis, lang);
  const script = { en: /[a-z]/i, he: /[א-ת]/, ar: /[ء-ي]/, es: /[a-zñáéíóú]/i }[lang] ?? /./;
  expect(predictions[0]?.name).toMatch(script);
});

test('the same photo and answers give the same diagnosis', async () => {
  const photo = await skinPhoto({ format: 'jpeg' });
  expect(await diagnose(photo)).toEqual(await diagnose(photo));
});
