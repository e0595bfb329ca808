import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { requireCapability } from '../../identity/groups/staff.ts';
import { countPatientsRead } from '../../platform/throttle/count-patients-read.ts';
import { recordRead } from '../../cases/record/record-read.ts';
import { showDetail } from '../cases/show-detail.ts';
import { showSummaries } from '../cases/show-summaries.ts';
import { countAudits, pickAudit } from './next-audit.ts';
import type { NextCase, NextCaseRequest } from './next-case.schemas.ts';
import { countOffered, type Offer } from '../../cases/queue/offered-cases.queries.ts';
import { readQueueRules } from '../../cases/record/queue-rules.ts';
import { reviewTurn, type Turn } from './review-turn.ts';
import { lockStaffAtWork } from '../../cases/queue/staff-at-work.ts';

const askAgainSeconds = { soon: 2, later: 30 };

/**
 * Gives a physician the next case: the one in hand where no further one is allowed, else the first of the physician's lanes.
 * Leases that have run out are returned first, so that no case waits for a timer.
 *
 * @throws {Problem} `physician_profile_required`, `physician_away`, `capability_required`
 */
export async function takeNextCase(
  context: Context,
  actor: AccountActor,
  input: NextCaseRequest,
): Promise<NextCase> {
  const rules = await readQueueRules(context, actor.tenantId);
  const { receivedAt: now, language } = context.request;
  const isAudit = input.queue === 'audit';
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const staff = await lockStaffAtWork(tx, actor, now);
    if (isAudit) requireCapability(staff, 'case.audit');
    const offer: Offer = { staff, now, languages: input.languages };
    const turn = isAudit
      ? await auditTurn(tx, offer)
      : await reviewTurn(tx, context, offer, { input, rules });
    const { record, batch, resumed } = turn;
    if (record !== undefined && (isAudit || resumed)) await recordRead(tx, context, actor, record);
    const queue = isAudit ? await countAudits(tx, offer) : await countOffered(tx, offer);
    const found = record && (await showDetail(tx, staff, record, { language, now }));
    const others = await showSummaries(tx, { language, now }, batch);
    const shown = found === undefined ? others : [found, ...others];
    await countPatientsRead(
      tx,
      context,
      actor,
      shown.map(({ patient }) => patient.uuid),
    );
    return {
      case: found ?? null,
      resumed,
      batch: others,
      lease: record !== undefined && !isAudit ? { expires_at: record.lease_expires_at ?? now } : null,
      queue,
      retry_after_seconds:
        record !== undefined ? 0 : queue.waiting > 0 ? askAgainSeconds.soon : askAgainSeconds.later,
    };
  });
}

async function auditTurn(tx: Tx, offer: Offer): Promise<Turn> {
  return { record: await pickAudit(tx, offer), batch: [], resumed: false };
}
