import { v7 as uuidv7 } from 'uuid';
import type { Audit } from '../../contract/audit.ts';
import type { Db } from '../db/connect.ts';

/** One row of the append-only event log. `detail` holds ids and codes only: no names, tokens or answers. */
export interface NewEvent {
  category: Audit['category'];
  action: string;
  outcome: 'success' | 'failure' | 'denied';
  tenantId: number | undefined;
  actorUserId?: number | undefined;
  /** Where no account acts: a caller without a token, or the service itself. `anonymous` where absent. */
  actorKind?: 'anonymous' | 'system';
  sessionUuid?: string | undefined;
  subject?: { kind: string; uuid: string } | undefined;
  /** The case that the event belongs to, which need not be its subject. */
  caseUuid?: string | undefined;
  patientId?: number | undefined;
  requestId: string;
  ipPrefix: string | undefined;
  detail?: Record<string, string | number | boolean | null | readonly string[]>;
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
    actor_kind: event.actorUserId === undefined ? (event.actorKind ?? 'anonymous') : ('user' as const),
    session_id: event.sessionUuid ?? null,
    subject_kind: event.subject?.kind ?? null,
    subject_uuid: event.subject?.uuid ?? null,
    case_uuid: event.caseUuid ?? null,
    patient_id: event.patientId ?? null,
    request_id: event.requestId,
    ip_prefix: event.ipPrefix ?? null,
    detail: event.detail ?? {},
  };
}

export type EventRow = ReturnType<typeof eventRow>;

/** What a use case adds to an event. Ids that are given, `undefined` included, replace those of the actor. */
export interface AuditFacts {
  tenantId?: number | undefined;
  userId?: number | undefined;
  sessionUuid?: string | undefined;
  subject?: { kind: string; uuid: string };
  caseUuid?: string;
  patientId?: number;
  detail?: NewEvent['detail'];
}

/** The event log as a use case sees it: bound to actor, request and the action that the endpoint declares. */
export interface AuditContext {
  /** Appends the declared success; in the transaction of what it reports, so that both stand or neither. */
  succeeded(db: Db, facts?: AuditFacts): Promise<void>;
  /** Appends the declared refusal with outcome `denied`, for what must be committed although the request fails. */
  denied(db: Db, facts?: AuditFacts): Promise<void>;
  event(outcome: NewEvent['outcome'], facts?: AuditFacts): NewEvent;
  /** The event as the columns of `event_logs`, for a statement that writes more than the event. */
  row(outcome: NewEvent['outcome'], facts?: AuditFacts): EventRow;
  /** Sets the tenant of an event whose ids only the statement that writes it knows: `row` is called without them. */
  wrote(facts: { tenantId: number }): void;
  /** The same actor and request with another action, one of `auditEvents`. */
  as(other: Audit): AuditContext;
  /** The tenant of the last event; undefined before the first, and for events without a tenant. */
  readonly tenantId: number | undefined;
}
