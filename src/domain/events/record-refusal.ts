import type { Db } from '../../lib/db/connect.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import type { Problem } from '../../lib/problem.ts';
import { type NewEvent, recordEvent } from './record-event.ts';

export interface RefusalFacts {
  category: NewEvent['category'];
  action: string;
  problem: Problem;
  user: { id: number; tenantId: number; sessionUuid: string } | undefined;
  trail: { tenantId?: number; userId?: number; sessionUuid?: string; reason?: string };
  request: { id: string; ipPrefix: string | undefined };
}

/** PostgreSQL counts tenants from 1, so this names none: the row is written without a tenant. */
const noTenant = 0;

/**
 * Writes that somebody was refused. A refusal about a known account and one about an unknown address take the
 * same statements, so that the time an answer takes says nothing about accounts.
 */
export async function recordRefusal(db: Db, refusal: RefusalFacts): Promise<void> {
  const { category, action, problem, user, trail, request } = refusal;
  const tenantId = user?.tenantId ?? trail.tenantId;
  await inTenant(db, tenantId ?? noTenant, (tx) =>
    recordEvent(tx, {
      category,
      action,
      outcome: problem.status === 401 || problem.status === 403 ? 'denied' : 'failure',
      tenantId,
      actorUserId: user?.id ?? trail.userId,
      sessionUuid: user?.sessionUuid ?? trail.sessionUuid,
      requestId: request.id,
      ipPrefix: request.ipPrefix,
      detail: { code: problem.code, ...(trail.reason !== undefined && { reason: trail.reason }) },
    }),
  );
}
