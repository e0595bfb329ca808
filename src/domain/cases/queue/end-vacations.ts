import { systemActorOf } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { AppContext } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';
import { independentSteps } from '../../../lib/concurrency/independent-steps.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { endVacationsUntil } from './physician-at-work.queries.ts';

/** Physicians of one tenant in one run. */
const batch = 200;

/** Ends vacations whose end has passed: those physicians are offered cases again. */
export async function endVacations(
  { db, log }: Pick<AppContext, 'db' | 'log'>,
  now: Date,
): Promise<{ ended: number }> {
  let ended = 0;
  await independentSteps(log, async (attempt) => {
    const end = async (tenant: number) => {
      ended += await inTenant(db, tenant, (tx) => endIn(tx, tenant, now));
    };
    await forEachTenant(db, end, { attempt });
  });
  return { ended };
}

async function endIn(tx: Tx, tenantId: number, now: Date): Promise<number> {
  const back = await endVacationsUntil(tx, tenantId, { now, limit: batch });
  const request = { id: 'endVacations', ipPrefix: undefined };
  const audit = openAudit(auditEvents.physicianActivity, systemActorOf(tenantId), request);
  for (const uuid of back) {
    await audit.succeeded(tx, {
      tenantId,
      subject: { kind: 'physician', uuid },
      detail: { vacation_mode: false, reason: 'vacation_over' },
    });
  }
  return back.length;
}
