import type { Actor } from '../../../contract/actor.ts';
import type { Audit } from '../../../contract/audit.ts';
import { type AuditContext, type AuditFacts, eventRow, type NewEvent } from '../../../lib/app/audit.ts';
import { noteEvent } from '../../../lib/db/committed.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { insertEvent } from './event.queries.ts';

/**
 * The event log for what `actor` does in `request`, bound to the declared action.
 * @param onEvent called with each event that happened, before its transaction commits.
 * @param declared undefined where an endpoint declares none: such a one can write no event of its own.
 */
export function openAudit(
  declared: Audit | undefined,
  actor: Actor,
  request: { id: string; ipPrefix: string | undefined },
  onEvent: (event: NewEvent) => void = () => undefined,
): AuditContext {
  const account = actor.kind === 'account' ? actor : undefined;
  let tenantOfLast: number | undefined;
  const bindTo = (audit: Audit | undefined): AuditContext => {
    const event = (outcome: NewEvent['outcome'], facts: AuditFacts = {}): NewEvent => {
      if (audit === undefined) throw new Error('the endpoint declares no audit action');
      const tenantId = facts.tenantId ?? actor.tenantId;
      tenantOfLast = tenantId;
      return {
        category: audit.category,
        action: outcome === 'success' ? audit.success : audit.refusal,
        outcome,
        tenantId,
        actorUserId: 'userId' in facts ? facts.userId : account?.id,
        ...(actor.kind === 'system' && { actorKind: 'system' }),
        sessionUuid: 'sessionUuid' in facts ? facts.sessionUuid : account?.sessionUuid,
        subject: facts.subject,
        caseUuid: facts.caseUuid,
        patientId: facts.patientId,
        requestId: request.id,
        ipPrefix: request.ipPrefix,
        ...(facts.detail !== undefined && { detail: facts.detail }),
      };
    };
    return {
      async succeeded(db, facts) {
        const happened = event('success', facts);
        await recordEvent(db, happened);
        onEvent(happened);
      },
      denied: (db, facts) => recordEvent(db, event('denied', facts)),
      event,
      row: (outcome, facts) => eventRow(event(outcome, facts)),
      wrote({ tenantId }) {
        tenantOfLast = tenantId;
      },
      as: bindTo,
      get tenantId() {
        return tenantOfLast;
      },
    };
  };
  return bindTo(declared);
}

/**
 * Appends an event; inside the transaction of what it reports where there is one. An event with a tenant needs
 * that tenant's transaction, one without (an unknown address tried to log in) needs none.
 */
export async function recordEvent(db: Db, event: NewEvent): Promise<void> {
  const row = eventRow(event);
  await insertEvent(db, row);
  const { uuid, category, tenant_id: tenantId } = row;
  if (tenantId !== null) noteEvent(db, { uuid, category, tenantId });
}
