import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Gateway, Refusal } from './gateway.ts';
import type { ReplayCase } from './replay-case.ts';

const Predictions = z.array(z.object({ disease: z.string() }));
const RedFlags = z.object({ flags: z.array(z.string()), urgency: z.string() });
const ImageVerdict = z.object({ isValid: z.boolean(), issues: z.array(z.string()) });
const Triage = z.object({ priority: z.string() });
const Diagnosis = z.object({
  predictions: Predictions,
  red_flags: RedFlags,
  image_validity: ImageVerdict,
});

export const routes = {
  diagnosis: '/api/diagnosis',
  predictions: '/api/ai/predict_diagnosis',
  redFlags: '/api/ai/red_flags',
  imageValidity: '/api/ai/image_validity',
  triage: '/api/ai/triage',
} as const;

export type Route = (typeof routes)[keyof typeof routes];

export type CallOutcome = { route: Route; ms: number; refusal?: Refusal };

/** What the gateway said to one case; what is missing was refused. */
export type CaseOutcome = {
  replayed: ReplayCase;
  calls: CallOutcome[];
  /** Slugs, most probable first. */
  predictions?: string[];
  redFlags?: z.output<typeof RedFlags>;
  imageVerdict?: z.output<typeof ImageVerdict>;
  triage?: string;
};

/**
 * Posts one case: with a photo to the diagnosis, which wants all required answers, without one to the routes that
 * take any; and to triage.
 */
export async function replayOne(gateway: Gateway, replayed: ReplayCase): Promise<CaseOutcome> {
  const outcome: CaseOutcome = { replayed, calls: [] };
  async function ask<Answer>(route: Route, body: object | FormData, schema: z.ZodType<Answer>) {
    const reply = await gateway.post(route, body);
    if ('refusal' in reply) {
      outcome.calls.push({ route, ms: reply.ms, refusal: reply.refusal });
      return undefined;
    }
    outcome.calls.push({ route, ms: reply.ms });
    return schema.parse(reply.answer);
  }

  const { anamnesis, photo } = replayed;
  const form = photo === undefined ? undefined : await formWith(photo);
  if (form !== undefined && isComplete(anamnesis)) {
    form.set('anamnesis', JSON.stringify(anamnesis));
    const diagnosis = await ask(routes.diagnosis, form, Diagnosis);
    if (diagnosis !== undefined) {
      outcome.predictions = diagnosis.predictions.map(({ disease }) => disease);
      outcome.redFlags = diagnosis.red_flags;
      outcome.imageVerdict = diagnosis.image_validity;
    }
  } else {
    const predicted = await ask(routes.predictions, anamnesis, z.object({ predictions: Predictions }));
    if (predicted !== undefined) outcome.predictions = predicted.predictions.map(({ disease }) => disease);
    const redFlags = await ask(routes.redFlags, anamnesis, RedFlags);
    if (redFlags !== undefined) outcome.redFlags = redFlags;
    const verdict = form && (await ask(routes.imageValidity, form, ImageVerdict));
    if (verdict !== undefined) outcome.imageVerdict = verdict;
  }
  const triage = await ask(routes.triage, anamnesis, Triage);
  if (triage !== undefined) outcome.triage = triage.priority;
  return outcome;
}

async function formWith(photo: string): Promise<FormData> {
  const type = /\.png$/i.test(photo) ? 'image/png' : 'image/jpeg';
  const form = new FormData();
  form.set('image', new Blob([await readFile(photo)], { type }), basename(photo));
  return form;
}

/** The two required answers that a row can lack; our mappings give all others. */
function isComplete({ symptoms }: ReplayCase['anamnesis']): boolean {
  return symptoms?.local !== undefined && symptoms.systemic !== undefined;
}
