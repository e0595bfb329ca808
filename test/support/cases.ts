import { anamnesis } from './diagnosis.ts';
import type { RequestOptions, TestApp } from './app.ts';

type Answering = Pick<TestApp, 'request'>;

/** As the mobile routes answer; the parts that tests read. */
export interface CaseAnswer {
  status: number;
  etag: string | null;
  replayed: boolean;
  uuid: string;
  id: number;
  version: number;
  patient_status: string;
  refused_for?: string[];
  allowed_actions: string[];
  anamnesis: Record<string, unknown>;
  images: { uuid: string; name: string; kind: string | null; quality: unknown }[];
  messages: { direction: string; codes: string[]; text: string | null; read_at: string | null }[];
  advice: { urgency: string; flagDetails: { code: string }[]; recommendedAction: string | null } | null;
  analysis_state: string;
  submitted_at: string | null;
  code?: string;
  errors?: { pointer: string; code: string }[];
  current_status?: string;
  current_version?: number;
}

async function answerOf(reply: Response): Promise<CaseAnswer> {
  const body = (await reply.json()) as Omit<CaseAnswer, 'status' | 'etag' | 'replayed'>;
  return {
    ...body,
    status: reply.status,
    etag: reply.headers.get('etag'),
    replayed: reply.headers.get('idempotency-replayed') === 'true',
  };
}

/** Answers that any case may have: those of the demo's eczema. */
export const caseAnswers: Record<string, unknown> = anamnesis;

export async function createCase(
  app: Answering,
  token: string,
  body: object = {},
  options: RequestOptions = {},
): Promise<CaseAnswer> {
  const json = { anamnesis: caseAnswers, ...body };
  return await answerOf(await app.request('/api/v1/mobile/cases/create', { json, token, ...options }));
}

export async function updateCase(
  app: Answering,
  token: string,
  body: object,
  options: RequestOptions = {},
): Promise<CaseAnswer> {
  return await answerOf(await app.request('/api/v1/mobile/cases/update', { json: body, token, ...options }));
}

export async function actOnCase(
  app: Answering,
  token: string,
  uuid: string,
  body: object,
  options: RequestOptions = {},
): Promise<CaseAnswer> {
  return await answerOf(
    await app.request(`/api/v1/mobile/cases/${uuid}/status`, { json: body, token, ...options }),
  );
}

export async function getCase(app: Answering, token: string, uuid: string): Promise<CaseAnswer> {
  return await answerOf(await app.request(`/api/v1/mobile/cases/${uuid}`, { token }));
}
