import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { Actor } from '../../../contract/actor.ts';
import type { Audit } from '../../../contract/audit.ts';
import type { Problem, RefusedParty } from '../../../contract/problem.ts';
import type { NewEvent } from '../../../lib/app/audit.ts';
import { eventRow } from '../../../lib/app/audit.ts';
import { insertOrCountRefusal } from './event.queries.ts';

export interface RefusalFacts {
  audit: Audit;
  problem: Problem;
  actor: Actor;
  /** Who is refused, where the actor is anonymous. */
  about: RefusedParty;
  request: { id: string; ipPrefix: string | undefined; receivedAt: Date };
}

/** How repeated refusals are recognised, and for how long they are counted together. */
export interface Repetition {
  /** Makes the key of a counter from its name and parts. */
  key: (...parts: readonly (string | undefined)[]) => Buffer;
  /** REFUSAL_WINDOW_MINUTES in seconds. */
  seconds: number;
}

/** PostgreSQL counts tenants from 1, so this names none: the row is written without a tenant. */
const noTenant = 0;

/**
 * Writes that a caller was refused; refusals of one kind (action, code, account) from one network within the window are
 * one event with a count. A refusal about a known account and one about an unknown address take the same statements, so
 * that the time an answer takes says nothing about accounts.
 */
export async function recordRefusal(db: Db, repetition: Repetition, refusal: RefusalFacts): Promise<void> {
  const { audit, problem, actor, about, request } = refusal;
  const account = actor.kind === 'account' ? actor : undefined;
  const tenantId = actor.tenantId ?? about.tenantId;
  const isDenied = problem.status === 401 || problem.status === 403 || problem.conceals !== undefined;
  const { reason } = about;
  const event: NewEvent = {
    category: audit.category,
    action: audit.refusal,
    outcome: isDenied ? 'denied' : 'failure',
    tenantId,
    actorUserId: account?.id ?? about.userId,
    sessionUuid: account?.sessionUuid ?? about.sessionUuid,
    subject: problem.conceals,
    requestId: request.id,
    ipPrefix: request.ipPrefix,
    detail: { code: problem.code, ...(reason !== undefined && { reason }) },
  };
  await inTenant(db, tenantId ?? noTenant, (tx) =>
    appendRefusal(tx, repetition, { ...event, code: problem.code, reason }, request.receivedAt),
  );
}

/**
 * Appends a failed or denied event, or counts it where one of its kind is there; in the transaction of its tenant.
 */
export async function appendRefusal(
  db: Db,
  { key, seconds }: Repetition,
  { code, reason, ...event }: NewEvent & { code: string; reason?: string | undefined },
  now: Date,
): Promise<void> {
  const { category, action, tenantId, actorUserId, ipPrefix } = event;
  const about = [tenantId, actorUserId].map((id) => id?.toString());
  const kind = key('refusal', category, action, code, reason, ...about, ipPrefix);
  await insertOrCountRefusal(db, { kind, seconds, now }, eventRow(event));
}
