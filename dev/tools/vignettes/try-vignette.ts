import type { PartialAnamnesis, RedFlags, Triage } from '../../packages/client/src/index.ts';
import { collectAnswers, type Respondent } from '../intake/interview.ts';
import type { Photo } from '../intake/backends.ts';
import { type AnswerPath, fieldNameOf, fieldOf, optionalAnswers, withoutAnswer } from './optional-answers.ts';
import { skippingPatient, willingPatient } from './patients.ts';
import type { TriedGateway } from './tried-gateway.ts';
import { isHarmless, type Vignette } from './vignette.ts';

/** How the answers reach the gateway: in one call, or by the guided intake of a willing or skipping patient. */
export const channels = ['api', 'willing', 'skipping'] as const;
export type Channel = (typeof channels)[number];

export interface Intake {
  /** `questionId`s in asking order, including the last one. */
  asked: readonly string[];
  /** Questions asked twice, or whose answer another question had already collected. */
  repeated: readonly string[];
  /** Fields of unanswered questions. */
  skipped: readonly string[];
  /** The emergencies that ended it; empty after a regular end. */
  emergency: readonly string[];
}

/** The gateway's replies to one vignette on one channel. */
export interface Trial {
  vignette: Vignette;
  channel: Channel;
  /** Why there is no reply; the other members are then missing. */
  refusal?: string;
  redFlags?: RedFlags;
  triage?: Triage;
  /** Only for a guided intake. */
  intake?: Intake;
  /** Only for a dangerous vignette by API: the level without one optional answer, by field name. */
  withoutOne?: readonly { fieldName: string; level: Triage['priority'] }[];
}

/** @param withRemovals whether a dangerous vignette is tried by API without each optional answer, too. */
export async function tryVignette(
  gateway: TriedGateway,
  photo: Photo,
  vignette: Vignette,
  channel: Channel,
  { withRemovals = true } = {},
): Promise<Trial> {
  const trial = { vignette, channel };
  try {
    if (channel === 'api') return { ...trial, ...(await tryApi(gateway, vignette, withRemovals)) };
    const patient = channel === 'willing' ? willingPatient(vignette) : skippingPatient(vignette);
    return { ...trial, ...(await tryIntake(gateway, photo, patient)) };
  } catch (error) {
    return { ...trial, refusal: wordsOf(error) };
  }
}

async function tryApi(gateway: TriedGateway, vignette: Vignette, withRemovals: boolean) {
  const anamnesis = vignette.anamnesis as PartialAnamnesis;
  const assessed = await assess(gateway, anamnesis);
  if (!withRemovals || isHarmless(vignette)) return assessed;
  const withoutOne: { fieldName: string; level: Triage['priority'] }[] = [];
  for (const path of spareableAnswers(vignette)) {
    const left = await levelOf(gateway, withoutAnswer(anamnesis, path));
    if (left !== undefined) withoutOne.push({ fieldName: fieldNameOf(path), level: left });
  }
  return { ...assessed, withoutOne };
}

/** The optional answers, except those that alone show the danger here. */
function spareableAnswers({ anamnesis, must }: Vignette): AnswerPath[] {
  return optionalAnswers(anamnesis).filter((path) => !mayDependOn(must, fieldNameOf(path)));
}

/** Whether this answer alone shows the danger, so that it may go unnoticed without it. */
export function mayDependOn(must: Vignette['must'], fieldName: string): boolean {
  const fields = must.mayDependOn ?? [];
  return fields.includes(fieldName) || fields.includes(fieldOf(fieldName));
}

/** Undefined when the rest is refused, because one answer can be invalid without another. */
async function levelOf(gateway: TriedGateway, anamnesis: PartialAnamnesis) {
  try {
    return (await gateway.triage(anamnesis)).priority;
  } catch (error) {
    if (wordsOf(error).includes('anamnesis_invalid')) return undefined;
    throw error;
  }
}

async function tryIntake(gateway: TriedGateway, photo: Photo, patient: Respondent) {
  const repeated = new Set<string>();
  const { steps, end, anamnesis } = await collectAnswers(gateway, photo, patient, ({ questionId }) =>
    repeated.add(questionId),
  );
  const answered = new Set<string>();
  const skipped = new Set<string>();
  for (const { question, answer } of steps) {
    const { fieldName, questionId } = question;
    if (answered.has(fieldName)) repeated.add(questionId);
    // A second photo is another photo.
    if (answer === undefined) skipped.add(fieldName);
    else if (fieldName !== 'images') answered.add(fieldName);
  }
  const asked = steps.map(({ question }) => question.questionId);
  const intake = { asked, repeated: [...repeated], skipped: [...skipped], emergency: end.emergency ?? [] };
  return { ...(await assess(gateway, anamnesis)), intake };
}

async function assess(gateway: TriedGateway, anamnesis: PartialAnamnesis) {
  return { redFlags: await gateway.redFlags(anamnesis), triage: await gateway.triage(anamnesis) };
}

/** A `Problem` of ours with its code and its wrong fields. */
function wordsOf(error: unknown): string {
  const { message, code, errors } = error as { message: string; code?: string; errors?: unknown };
  return [code, message, errors && JSON.stringify(errors)].filter(Boolean).join(' ');
}
