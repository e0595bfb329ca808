// Cases of the demo patient, one wherever a case can stand: made through the gateway, moved on where only physicians,
// timers or the queue can.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { DemoUser } from '../../../src/cli/seed.ts';
import {
  type DemoMove,
  findInReview,
  moveDemoCases,
  openDemoCases,
  settleDemoAnswers,
} from '../../../src/cli/seed-cases.ts';
import {
  type AnswerCreation,
  type CaseCreation,
  createDermagate,
  type Dermagate,
  inMemory,
  type MobileCase,
} from '../../packages/client/src/index.ts';
import { staffCalls } from '../../packages/client/src/staff.ts';
import { drawPhoto } from './photo.ts';

interface DemoCase {
  id: string;
  /** The child of the demo patient; otherwise the patient. */
  child?: true;
  /** Of the photo: too dark to be used. */
  dark?: true;
  draft?: true;
  cancelled?: true;
  /** From the queue, or from where the case was made. */
  moves?: readonly DemoMove[];
  /** Of the demo physician, who has taken it. */
  answer?: 'signed' | 'published';
}

/** The newest last. */
const demoCases: readonly DemoCase[] = [
  { id: 'demo-expired', dark: true, moves: ['expire'] },
  { id: 'demo-ineligible', moves: ['refuse'] },
  { id: 'demo-cancelled', cancelled: true },
  { id: 'demo-closed', moves: ['take'], answer: 'published' },
  { id: 'demo-answered', moves: ['take'], answer: 'signed' },
  { id: 'demo-technical', moves: ['take', 'hold/technical'] },
  { id: 'demo-result-awaited', moves: ['take', 'hold/awaiting_result'] },
  { id: 'demo-second-opinion', moves: ['take', 'hold/awaiting_second_opinion'] },
  { id: 'demo-in-review', moves: ['take'] },
  { id: 'demo-submitted', draft: true, moves: ['submit'] },
  { id: 'demo-waiting-child', child: true },
  { id: 'demo-waiting' },
  { id: 'demo-photos-asked', dark: true },
  { id: 'demo-draft', draft: true },
];

const answers = JSON.parse(readFileSync(join(import.meta.dirname, 'anamnesis.json'), 'utf8')) as {
  patient: object;
  complaint: object;
};

const answer: AnswerCreation = {
  kind: 'dermatologist',
  language: 'en',
  diagnoses: [
    {
      disease_id: null,
      code: 'L20.9',
      code_system: 'icd10',
      text: 'Atopic eczema',
      certainty: 'probable',
      is_primary: true,
    },
  ],
  severity: 'mild',
  recommended_action: 'routine_physician_review',
  recommendation_text: 'See your family doctor if it is not better in two weeks.',
  patient_message: 'This looks like eczema. It is not contagious.',
  image_quality_ok: true,
  ai_agreement: 'agree',
  sign: true,
};

export interface DemoPeople {
  patient: DemoUser;
  physician: DemoUser;
}

/**
 * Turns cases on for the demo tenant, and makes the cases that are not there yet.
 * @returns how many there are.
 */
export async function seedCases(
  url: string,
  databaseUrl: string,
  { patient, physician }: DemoPeople,
): Promise<number> {
  const known = await openDemoCases(databaseUrl);
  const missing = demoCases.filter(({ id }) => !known.has(id));
  if (missing.length > 0) {
    const api = createDermagate({ baseUrl: url, tokens: inMemory() });
    await api.session.logIn({ email: patient.email, password: patient.password });
    const child = await childOf(api);
    const drawings = {
      lit: await drawPhoto({ variant: 1 }),
      dark: await drawPhoto({ variant: 1, light: 0.08 }),
    };
    for (const demo of missing) await makeCase(api, demo, { child, drawings });
  }
  const moved = demoCases.flatMap(({ id, moves }) => (moves === undefined ? [] : [[id, moves] as const]));
  await moveDemoCases(databaseUrl, new Map(moved));
  const answered = demoCases.filter((demo) => demo.answer !== undefined);
  const inHand = await findInReview(
    databaseUrl,
    answered.map(({ id }) => id),
  );
  if (inHand.length > 0) await signAnswers(url, physician, inHand);
  const withAnswer = (wanted: DemoCase['answer']) =>
    answered.flatMap(({ id, answer: given }) => (given === wanted ? [id] : []));
  await settleDemoAnswers(databaseUrl, { published: withAnswer('published'), kept: withAnswer('signed') });
  return demoCases.length;
}

async function signAnswers(url: string, physician: DemoUser, cases: readonly string[]): Promise<void> {
  const api = createDermagate({ baseUrl: url, tokens: inMemory() });
  await api.session.logIn({ email: physician.email, password: physician.password });
  const { answers: signed } = staffCalls(api);
  for (const uuid of cases) await signed.create(uuid, answer);
}

/** The child, eight years old for ever. */
async function childOf(api: Dermagate): Promise<string> {
  const { profiles } = await api.profiles.list();
  const known = profiles.find(({ relation }) => relation === 'child');
  if (known !== undefined) return known.uuid;
  const born = new Date();
  born.setUTCFullYear(born.getUTCFullYear() - 8, 0, 1);
  const body = {
    given_name: 'Noa',
    birth_date: born.toISOString().slice(0, 10),
    gender: 'female',
    relation: 'child',
    guardian_confirmed: true,
  } as const;
  const { profile } = await api.profiles.addOffspring(body);
  return profile.uuid;
}

interface Drawings {
  lit: Buffer;
  dark: Buffer;
}

/** Drawing takes most of a second; another file of the same drawing, so that no case is a duplicate, takes little. */
async function photoOf(demo: DemoCase, { lit, dark }: Drawings): Promise<Buffer> {
  const index = demoCases.indexOf(demo);
  return await sharp(demo.dark === true ? dark : lit)
    .flip(index % 2 === 1)
    .flop(index % 4 > 1)
    .jpeg({ quality: 94 - index })
    .toBuffer();
}

interface Making {
  /** UUID of the child's profile. */
  child: string;
  drawings: Drawings;
}

async function makeCase(api: Dermagate, demo: DemoCase, { child, drawings }: Making): Promise<MobileCase> {
  const photo = new Blob([new Uint8Array(await photoOf(demo, drawings))], { type: 'image/jpeg' });
  const stored = await api.images.upload([photo]);
  const { patient, ...others } = answers;
  const anamnesis =
    demo.child === true
      ? { ...others, reporter: 'parent_guardian', patient: { ageYears: 8, gender: 'female' } }
      : { ...others, patient };
  const consent = await api.config.parameters('legal', 'consent');
  const body = {
    client_case_id: demo.id,
    language: 'en' as const,
    anamnesis: anamnesis as CaseCreation['anamnesis'],
    images: stored.images.map(({ uuid }) => ({ name: uuid })),
    submit: demo.draft !== true,
    ...(demo.child === true && { patient_uuid: child }),
    ...(demo.draft !== true && {
      consent: { version: String(consent.parameters['version']), accepted: true as const },
    }),
  };
  const made = await api.cases.create(body);
  if (demo.cancelled !== true) return made;
  return await api.cases.cancel(made.uuid);
}
