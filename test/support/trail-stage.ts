import { randomUUID } from 'node:crypto';
import { tenantRows } from './accounts.ts';
import type { TestApp } from './test-app.ts';

/** A row of `event_logs`, as far as the audit trail can be asked for it. */
export interface LoggedEvent {
  action: string;
  at?: string;
  category?: string;
  outcome?: string;
  /** `users.id` */
  actor_user_id?: number;
  subject_kind?: string;
  subject_uuid?: string;
  case_uuid?: string;
  patient_id?: number;
  ip_prefix?: string;
  request_id?: string;
  detail?: object;
}

/** Events as rows, in the order given; numbered in that order as well. */
export async function logEvents(
  app: TestApp,
  events: readonly LoggedEvent[],
  tenantId = 1,
): Promise<string[]> {
  const rows = events.map((event) => ({
    uuid: randomUUID(),
    tenant_id: tenantId,
    category: 'case',
    outcome: 'success',
    actor_kind: event.actor_user_id === undefined ? 'system' : 'user',
    detail: {},
    at: new Date().toISOString(),
    ...event,
  }));
  await tenantRows(
    app,
    `INSERT INTO event_logs SELECT row.* FROM jsonb_array_elements($1) AS given,
       LATERAL (SELECT nextval('event_logs_id_seq') AS id, given OFFSET 0) AS numbered,
       LATERAL jsonb_populate_record(NULL::event_logs, given || jsonb_build_object('id', numbered.id)) AS row`,
    [JSON.stringify(rows)],
    tenantId,
  );
  return rows.map(({ uuid }) => uuid);
}

/** As the audit trail answers. */
export interface TrailAnswer {
  status: number;
  code?: string;
  errors?: { pointer: string; code: string }[];
  items: ShownEvent[];
  next_cursor: string | null;
}

export interface ShownEvent {
  uuid: string;
  at: string;
  category: string;
  action: string;
  outcome: string;
  actor: {
    kind: string;
    uuid: string | null;
    role: string | null;
    display_name: string | null;
    email: string | null;
  };
  subject: { kind: string; uuid: string } | null;
  case_uuid: string | null;
  patient_uuid: string | null;
  session_uuid: string | null;
  request_id: string | null;
  ip_prefix: string | null;
  detail: Record<string, unknown>;
}

const path = '/api/v1/backoffice/audit-trail';

export async function readTrail(
  app: TestApp,
  token: string,
  query: Record<string, string>,
): Promise<TrailAnswer> {
  const reply = await app.request(`${path}?${new URLSearchParams(query).toString()}`, { token });
  return { ...((await reply.json()) as TrailAnswer), status: reply.status };
}

export const downloadTrail = (
  app: TestApp,
  token: string,
  query: Record<string, string>,
): Promise<Response> => app.request(`${path}/csv?${new URLSearchParams(query).toString()}`, { token });
