import type { TestApp } from './test-app.ts';

type Answering = Pick<TestApp | TestApp<'real'>, 'request'>;

/** As the routes of the back office answer about a case; the parts that tests read. */
export interface StaffAnswer {
  status: number;
  code?: string;
  replayed: boolean;
  etag: string | null;
  /** Of the problem or, as `case_status`, of the case. */
  case_status: string;
  uuid: string;
  version: number;
  pending_status: string | null;
  status_reason: string | null;
  triage_level: string | null;
  red_flags: string[];
  due_at: string;
  assigned_physician: { uuid: string } | null;
  patient: { uuid: string };
  messages: { direction: string; text: string | null }[];
  allowed_actions: string[];
  anamnesis: Record<string, Record<string, unknown>>;
  anamnesis_revision: number;
  current_status?: string;
  current_version?: number;
  capability?: string;
  errors?: { pointer: string; code: string }[];
}

async function answerOf(reply: Response): Promise<StaffAnswer> {
  const body = (await reply.json()) as StaffAnswer & { status: unknown };
  return {
    ...body,
    case_status: String(body.status),
    status: reply.status,
    replayed: reply.headers.get('idempotency-replayed') === 'true',
    etag: reply.headers.get('etag'),
  };
}

/** `POST {uuid}/status`. */
export async function handle(
  app: Answering,
  { token }: { token: string },
  uuid: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<StaffAnswer> {
  const path = `/api/v1/backoffice/cases/${uuid}/status`;
  return await answerOf(await app.request(path, { json: body, token, headers }));
}

/** `POST {uuid}/update-record`. */
export async function correct(
  app: Answering,
  { token }: { token: string },
  uuid: string,
  body: object,
): Promise<StaffAnswer> {
  const path = `/api/v1/backoffice/cases/${uuid}/update-record`;
  return await answerOf(await app.request(path, { json: body, token }));
}
