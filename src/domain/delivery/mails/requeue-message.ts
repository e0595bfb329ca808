import { systemActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type DeadMessage, reviveMessage } from '../../../lib/outbox/dead-messages.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { isObsoleteMail } from './is-obsolete-mail.ts';

export type Requeued = 'requeued' | 'obsolete' | 'not_dead';

/** PostgreSQL counts tenants from 1, so this names none. */
const noTenant = 0;

/** Makes a dead message due again and records that; one whose mail would be obsolete stays as it is. */
export async function requeueMessage(db: Db, message: DeadMessage, now: Date): Promise<Requeued> {
  const { id, topic, tenantId, tries, lastErrorCode } = message;
  return await inTenant(db, tenantId ?? noTenant, async (tx) => {
    if (await isObsoleteMail(tx, message, now)) return 'obsolete';
    if (!(await reviveMessage(tx, id, now))) return 'not_dead';
    const request = { id: 'outbox', ipPrefix: undefined };
    await openAudit(auditEvents.outboxMessageRetried, systemActor, request).succeeded(tx, {
      tenantId,
      detail: { message: id, topic, tries, last_error: lastErrorCode, by: 'command line' },
    });
    return 'requeued';
  });
}

/** Whether a dead message would send nothing any more. */
export async function isObsolete(db: Db, message: DeadMessage, now: Date): Promise<boolean> {
  return await inTenant(db, message.tenantId ?? noTenant, (tx) => isObsoleteMail(tx, message, now));
}
