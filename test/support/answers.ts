import { rowOf, takeNext, type Physician, type QueuedCase, queueCases } from './queue-stage.ts';
import type { RequestOptions, TestApp } from './test-app.ts';

type App = TestApp | TestApp<'real'>;

/** As the routes of annotations answer; the parts that tests read. */
export interface AnnotationAnswer {
  httpStatus: number;
  etag: string | null;
  replayed: boolean;
  uuid: string;
  case_uuid: string;
  kind: string;
  status: string;
  version: number;
  patient_message: string | null;
  internal_note: string | null;
  rendered_text: string | null;
  amends_uuid: string | null;
  published_at: string | null;
  cancel_reason: string | null;
  comment?: string | null;
  code?: string;
  current_version?: number;
  current_status?: string;
  missing?: string[];
  contradictions?: { code: string; is_emergency: boolean }[];
  contradiction_reasons?: { code: string; reason: string }[];
  urgency_explanation?: string | null;
  errors?: { pointer: string; code: string }[];
}

/** All that a signature needs, in English. */
export const wholeAnswer = {
  kind: 'dermatologist',
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
  recommended_action: 'routine_physician_review',
  patient_message: 'This looks like eczema.',
  internal_note: 'Ask about pets.',
  image_quality_ok: true,
  ai_agreement: 'agree',
};

const path = (caseUuid: string) => `/api/v1/backoffice/annotations/${caseUuid}`;

async function send(app: App, target: string, options: RequestOptions): Promise<AnnotationAnswer> {
  const reply = await app.request(target, options);
  const body = (await reply.json()) as AnnotationAnswer;
  return {
    ...body,
    httpStatus: reply.status,
    etag: reply.headers.get('etag'),
    replayed: reply.headers.get('idempotency-replayed') === 'true',
  };
}

/** Makes a draft; with `sign` it is signed. */
export const annotate = (
  app: App,
  { token }: Pick<Physician, 'token'>,
  caseUuid: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<AnnotationAnswer> =>
  send(app, path(caseUuid), { json: { ...wholeAnswer, ...body }, token, headers });

/** Saves the annotation as a whole, as the client that has read `version`. */
export const saveAnnotation = (
  app: App,
  { token }: Pick<Physician, 'token'>,
  caseUuid: string,
  version: number,
  body: object = {},
): Promise<AnnotationAnswer> =>
  send(app, path(caseUuid), { method: 'PUT', json: { ...wholeAnswer, version, ...body }, token });

export const cancelAnnotation = (
  app: App,
  { token }: Pick<Physician, 'token'>,
  caseUuid: string,
  version: number,
  body: object = {},
): Promise<AnnotationAnswer> =>
  send(app, `${path(caseUuid)}/cancel`, {
    method: 'PUT',
    json: { reason: 'Not what I meant.', version, ...body },
    token,
  });

/** What a member of staff reads; undefined where the case is none for them. */
export async function readAnnotations(
  app: App,
  { token }: Pick<Physician, 'token'>,
  caseUuid: string,
): Promise<AnnotationAnswer[] | undefined> {
  const reply = await app.request(path(caseUuid), { token });
  if (reply.status !== 200) return undefined;
  return ((await reply.json()) as { annotations: AnnotationAnswer[] }).annotations;
}

/** What the patient reads, as text and parsed. */
export async function readAnswers(
  app: App,
  token: string,
  caseUuid: string,
): Promise<{ text: string; answers: AnnotationAnswer[] }> {
  const reply = await app.request(`/api/v1/mobile/cases/${caseUuid}/annotations`, { token });
  const text = await reply.text();
  return { text, answers: (JSON.parse(text) as { annotations?: AnnotationAnswer[] }).annotations ?? [] };
}

/** A case that the physician has taken from the queue. */
export async function caseInHand(app: App, physician: Physician, queued: QueuedCase = {}): Promise<string> {
  const [uuid = ''] = await queueCases(app, [queued]);
  const taken = await takeNext(app, physician);
  if (taken.case?.uuid !== uuid) throw new Error(`${uuid} was to be taken, not ${taken.case?.uuid}`);
  return uuid;
}

/** Where a case stands. */
export async function standing(app: App, uuid: string) {
  const { status, audit_state, disease_id, final_annotation_uuid, publish_at, closed_at, version } =
    await rowOf(app, uuid);
  return { status, audit_state, disease_id, final_annotation_uuid, publish_at, closed_at, version };
}
