import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type {
  Anamnesis,
  Dermagate,
  Diagnosis,
  PartialAnamnesis,
  Triage,
} from '../../packages/client/src/index.ts';
import type { Call, Gateway, Refusal } from './gateway.ts';
import type { ReplayCase } from './replay-case.ts';

export const routes = {
  diagnosis: '/api/diagnosis',
  predictions: '/api/ai/predict_diagnosis',
  redFlags: '/api/ai/red_flags',
  imageValidity: '/api/ai/image_validity',
  triage: '/api/ai/triage',
} as const;

export type Route = (typeof routes)[keyof typeof routes];

export type CallOutcome = { route: Route; ms: number; refusal?: Refusal };

type Findings = { [Part in keyof Diagnosis]?: Diagnosis[Part] | undefined };

/** The gateway's replies to one case; a missing one was refused, or needs a photo. */
export interface CaseOutcome extends Findings {
  replayed: ReplayCase;
  calls: CallOutcome[];
  triage: Triage | undefined;
}

/**
 * Posts one case: with a photo to the diagnosis, which needs all required answers; without one to the routes that accept partial
 * answers; and to triage.
 */
export async function replayOne(gateway: Gateway, replayed: ReplayCase): Promise<CaseOutcome> {
  const calls: CallOutcome[] = [];
  async function ask<Asked extends Route, Answer>(
    route: Asked,
    post: (api: Dermagate, route: Asked) => ReturnType<Call<Answer>>,
  ): Promise<Answer | undefined> {
    const { answer, ...call } = await gateway.ask((api) => post(api, route));
    calls.push({ route, ...call });
    return answer;
  }

  const { anamnesis: body, photo } = replayed;
  const image = photo === undefined ? undefined : await fileOf(photo);
  const findings: Findings | undefined =
    image !== undefined && isComplete(body)
      ? await ask(routes.diagnosis, (api, route) => api.POST(route, { body: { image, anamnesis: body } }))
      : {
          ...(await ask(routes.predictions, (api, route) => api.POST(route, { body }))),
          red_flags: await ask(routes.redFlags, (api, route) => api.POST(route, { body })),
          image_validity:
            image && (await ask(routes.imageValidity, (api, route) => api.POST(route, { body: { image } }))),
        };
  const triage = await ask(routes.triage, (api, route) => api.POST(route, { body }));
  return { replayed, calls, ...findings, triage };
}

async function fileOf(photo: string): Promise<File> {
  const type = /\.png$/i.test(photo) ? 'image/png' : 'image/jpeg';
  return new File([await readFile(photo)], basename(photo), { type });
}

/** The two required answers that a row can lack; our mappings provide all others. */
function isComplete(anamnesis: PartialAnamnesis): anamnesis is Anamnesis {
  return anamnesis.symptoms?.local !== undefined && anamnesis.symptoms.systemic !== undefined;
}
