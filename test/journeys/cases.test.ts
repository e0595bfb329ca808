import { expect, test } from 'vitest';
import type { Answer, PartialAnamnesis } from '../../dev/packages/client/src/index.ts';
import { gateway } from '../../dev/tools/intake/backends.ts';
import { collectAnswers } from '../../dev/tools/intake/interview.ts';
import { answerOf, personas } from '../../dev/tools/intake/personas.ts';
import { demoPhoto } from '../../dev/tools/intake/record-transcripts.ts';
import { Language } from '../../src/contract/language.ts';
import { tenantRows } from '../support/accounts.ts';
import { testApp } from '../support/app.ts';
import { patientOf } from '../support/client.ts';
import { join } from 'node:path';
import { readVignettes } from '../../dev/tools/vignettes/vignette.ts';

// From the first question to the physicians' queue, with the reference AI service, by what an app may call.

const app = await testApp({ ai: 'real' });
const photo = await demoPhoto();
const consent = { version: '1', accepted: true } as const;
type Api = Awaited<ReturnType<typeof patientOf>>['api'];

/** The queue's view of a case; `hours` from its submission until it is due. */
interface Queued {
  status: string;
  lane_pool: string;
  lane_language: string;
  triage_level: string;
  triage_rank: number;
  hours: number;
}

async function inQueue(uuid: string): Promise<Queued | undefined> {
  const [row] = await tenantRows<Queued & Record<string, unknown>>(
    app,
    `SELECT status, lane_pool, lane_language, triage_level, triage_rank,
       extract(epoch FROM due_at - submitted_at)::integer / 3600 AS hours
     FROM request_records WHERE uuid = $1`,
    [uuid],
  );
  return row;
}

/** Answers all questions as the persona does, with a stored photo, and submits the case. */
async function intake(api: Api, title: string, language: Language, patientUuid?: string) {
  const persona = personas.find((each) => each.title === title);
  if (persona === undefined) throw new Error(title);
  const backend = gateway(api, language);
  const answers = await collectAnswers(
    backend,
    photo,
    {
      answerTo: ({ questionId }): Answer => answerOf(persona, questionId, language),
      takesPhoto: () => true,
    },
    ({ questionId }) => {
      throw new Error(`${questionId} was asked twice.`);
    },
  );
  const { images = [], ...anamnesis } = answers.anamnesis;
  // The same photo serves all questions.
  const [image] = images;
  return await api.cases.create({
    language,
    anamnesis,
    images: image === undefined ? [] : [{ name: image.url?.split('/').at(-1) ?? '', kind: image.kind }],
    consent,
    submit: true,
    patient_uuid: patientUuid,
  });
}

/** @returns the profile of a child of so many months. */
async function addChild(api: Api, months: number): Promise<string> {
  const born = new Date();
  born.setUTCMonth(born.getUTCMonth() - months, 1);
  const { profile } = await api.profiles.addOffspring({
    given_name: 'Noa',
    birth_date: born.toISOString().slice(0, 10),
    gender: 'female',
    relation: 'child',
    guardian_confirmed: true,
  });
  return profile.uuid;
}

test.each(Language.options)(
  'whole intakes in %s end in the queue, for oneself and for a child',
  async (language) => {
    const { api } = await patientOf(app);
    const child = await addChild(api, 4 * 12 + 6);
    const own = await intake(api, 'An itching rash', language);
    const childs = await intake(api, 'A child with fever and spots that fade under a glass', language, child);
    for (const made of [own, childs]) {
      expect(made).toMatchObject({ patient_status: 'waiting', analysis_state: 'done', language });
      expect(made.images).toHaveLength(1);
      expect(await inQueue(made.uuid)).toMatchObject({
        status: 'queued',
        lane_pool: 'general',
        lane_language: language,
      });
    }
    expect(own.patient.relation).toBe('self');
    expect(childs.patient).toMatchObject({ uuid: child, relation: 'child' });
  },
);

const vignettes = readVignettes(join(import.meta.dirname, '..', 'vignettes', 'known.jsonl'));
const vignette = (id: string) => {
  const found = vignettes.find((each) => each.id === id);
  if (found === undefined) throw new Error(id);
  return found.anamnesis;
};
const infant = {
  reporter: 'parent_guardian',
  patient: { ageYears: 0, ageMonths: 8, babyMobility: 'not_sure', gender: 'male' },
  complaint: { category: 'rash', duration: 'one_day', onsetSpeed: 'hours', progression: 'rapidly_worsening' },
  locations: [{ primary: 'leg' }],
  lesion: { lesionTypes: ['purpura'], colors: ['purple'], blanching: 'non_blanching' },
  symptoms: { emergency: ['none'], local: ['none'], systemic: ['fever'], temperatureC: 39.2 },
  history: { immuneStatus: 'normal' },
  medications: [],
};

test.each([
  ['a suspicious mole', vignette('v062'), 'medium', 'soon_2_weeks', 2, 72],
  ['shingles near the eye', vignette('v048'), 'high', 'urgent_24h', 1, 24],
  ['an infant with fever and petechiae', infant, 'emergency', 'emergency', 0, 1],
])(
  '%s: advice at once, and the right place in the queue',
  async (_what, anamnesis, urgency, level, rank, hours) => {
    const { api } = await patientOf(app);
    const stored = await gateway(api, 'en').keepPhoto(photo);
    const { uuid, advice } = await api.cases.create({
      ...('reporter' in anamnesis && { patient_uuid: await addChild(api, 8) }),
      anamnesis: anamnesis as PartialAnamnesis,
      images: [{ name: stored.split('/').at(-1) ?? '' }],
      consent,
      submit: true,
    });
    expect(advice).toMatchObject({ urgency });
    expect(advice?.flagDetails[0]).toMatchObject({ urgency, certainty: 'met' });
    expect(await inQueue(uuid)).toEqual({
      status: 'queued',
      lane_pool: 'general',
      lane_language: 'en',
      triage_level: level,
      triage_rank: rank,
      hours,
    });
  },
);
