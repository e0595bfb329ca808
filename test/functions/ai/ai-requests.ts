import demoAnamnesis from '../../../dev/run/demo/anamnesis.json' with { type: 'json' };
import { register, tenantRows } from '../../support/accounts.ts';
import type { RequestOptions, TestApp } from '../../support/app.ts';
import { skinPhoto } from '../../support/images.ts';

/** The AI service's routes, each of which the gateway has under /api/ai. */
export const aiRoutes = [
  'predict_diagnosis',
  'red_flags',
  'image_validity',
  'triage',
  'next_question',
] as const;
export type GatewayAiRoute = (typeof aiRoutes)[number];

/** Answers that are an emergency by our own rules. */
export const emergency = { symptoms: { emergency: ['difficulty_breathing'] } };

export const complete: Readonly<Record<string, unknown>> = demoAnamnesis;

const photo = (await skinPhoto({ width: 64, height: 48 })).toString('base64');

/** Answers that our own rules find urgent, so that an invented all-clear would show: suspected shingles near the eye. */
export const urgent = {
  locations: [{ primary: 'head_neck', secondary: 'eyelid' }],
  lesion: { lesionTypes: ['vesicle'], eyeSymptoms: ['pain'] },
};

/** What each route takes; no emergency, which is answered whatever the AI service does. */
export function bodyOf(route: GatewayAiRoute): object {
  if (route === 'image_validity') return { imageData: photo };
  return route === 'next_question' ? {} : urgent;
}

export type AiAnswer = {
  id: string;
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown> & { code?: string; detail?: string };
  /** From sending to the end of the answer. */
  ms: number;
};

/** The calls of one route: red flags and triage are asked beside each other. */
export const callsOf = ({ ai }: Pick<TestApp, 'ai'>, route: GatewayAiRoute) =>
  ai.calls.filter((call) => call.route === route);

let requests = 0;

/** A way to ask the AI routes of an app, as one user. */
export async function asker(app: Pick<TestApp, 'request' | 'env'>) {
  const { access_token: token } = await register(app);
  return async (
    route: GatewayAiRoute,
    {
      of = app,
      query = '',
      ...options
    }: RequestOptions & { of?: Pick<TestApp, 'request'>; query?: string } = {},
  ): Promise<AiAnswer> => {
    const id = `ai-${process.pid}-${(requests += 1)}`;
    const startedAt = performance.now();
    const reply = await of.request(`/api/ai/${route}${query}`, {
      json: bodyOf(route),
      token,
      ...options,
      headers: { 'x-request-id': id, ...(options.headers as Record<string, string>) },
    });
    const text = await reply.text();
    const ms = performance.now() - startedAt;
    const body = JSON.parse(text) as AiAnswer['body'];
    return { id, status: reply.status, headers: reply.headers, text, body, ms };
  };
}

/** What was kept of a call. */
export const recordedCalls = (app: TestApp, requestId: string) =>
  tenantRows(
    app,
    `SELECT kind, outcome, answer, anamnesis, safety_net, model_version, language, user_id,
       encode(input_sha256, 'hex') AS input_sha256, latency_ms
     FROM ml_diagnosis_results WHERE request_id = $1`,
    [requestId],
  );

export const recordedEvents = (app: TestApp, requestId: string) =>
  tenantRows(
    app,
    'SELECT category, action, outcome, actor_kind, actor_user_id, detail FROM event_logs WHERE request_id = $1',
    [requestId],
  );
