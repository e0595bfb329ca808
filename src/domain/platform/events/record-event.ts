import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../../lib/db/connect.ts';

/** One row of the append-only event log. `detail` holds ids and codes only: no names, tokens or answers. */
export interface NewEvent {
  category: 'auth' | 'access' | 'case' | 'ai' | 'admin' | 'system';
  action: string;
  outcome: 'success' | 'failure' | 'denied';
  tenantId: number | undefined;
  actorUserId?: number | undefined;
  sessionUuid?: string | undefined;
  subject?: { kind: string; uuid: string } | undefined;
  requestId: string;
  ipPrefix: string | undefined;
  detail?: Record<string, string | number | boolean | null | readonly string[]>;
}

/** Who did it, as far as is known. */
export interface Actor {
  tenantId: number;
  userId: number | undefined;
  sessionUuid?: string | undefined;
  request: { id: string; ipPrefix: string | undefined };
}

/** Appends that `actor` did `action`, inside the transaction that does it. */
export async function recordSuccess(
  db: Db,
  { request, userId, ...actor }: Actor,
  event: Pick<NewEvent, 'category' | 'action' | 'subject' | 'detail'>,
): Promise<void> {
  const { id: requestId, ipPrefix } = request;
  await recordEvent(db, {
    ...event,
    ...actor,
    actorUserId: userId,
    outcome: 'success',
    requestId,
    ipPrefix,
  });
}

/**
 * Appends an event; inside the transaction of what it reports where there is one. An event with a tenant needs
 * that tenant's transaction, one without (an unknown address tried to log in) needs none.
 */
export async function recordEvent(db: Db, event: NewEvent): Promise<void> {
  const row = eventRow(event);
  await db
    .insertInto('event_logs')
    .values({ ...row, detail: JSON.stringify(row.detail) })
    .execute();
}

/** An event as the columns of `event_logs`. */
export function eventRow(event: NewEvent) {
  return {
    uuid: uuidv7(),
    tenant_id: event.tenantId ?? null,
    category: event.category,
    action: event.action,
    outcome: event.outcome,
    actor_user_id: event.actorUserId ?? null,
    actor_kind: event.actorUserId === undefined ? 'anonymous' : 'user',
    session_id: event.sessionUuid ?? null,
    subject_kind: event.subject?.kind ?? null,
    subject_uuid: event.subject?.uuid ?? null,
    request_id: event.requestId,
    ip_prefix: event.ipPrefix ?? null,
    detail: event.detail ?? {},
  };
}
