import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { requireCapability } from '../../identity/groups/staff.ts';
import { countPatientsRead } from '../../platform/throttle/count-patients-read.ts';
import { recordRead } from '../../cases/record/record-read.ts';
import { countOffered, type Offer, pickBatch, pickNext } from '../../cases/queue/offered-cases.queries.ts';
import { type QueueRules, readQueueRules } from '../../cases/record/queue-rules.ts';
import { lockStaffAtWork } from '../../cases/queue/staff-at-work.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { casesInHand, releaseInHand } from '../../cases/queue/cases-in-hand.ts';
import { extendLease, leaseCase } from '../../cases/queue/lease.ts';
import { returnExpired } from '../../cases/queue/return-expired.ts';
import { showDetail } from '../cases/show-detail.ts';
import { showSummaries } from '../cases/show-summaries.ts';
import { countAudits, pickAudit } from './next-audit.queries.ts';
import type { NextCase, NextCaseRequest } from './next-case.schemas.ts';

const askAgainSeconds = { soon: 2, later: 30 };
/** Expired leases that one request returns; the timer returns the others. */
const expiredAtOnce = 20;

/** The case that a physician works on now, with the others of its batch. */
interface Turn {
  record: CaseRecord | undefined;
  batch: readonly CaseRecord[];
  /** Whether it was in the physician's hand before. */
  resumed: boolean;
}

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

/** The case to be answered next: the one in hand where no further one is allowed, else one that is taken for it. */
async function reviewTurn(
  tx: Tx,
  { audit, request }: Pick<Context, 'audit' | 'request'>,
  offer: Offer,
  { input, rules }: { input: NextCaseRequest; rules: QueueRules },
): Promise<Turn> {
  const { staff, now } = offer;
  const { physician, actor } = staff;
  const work = { audit, now, rules };
  let hands = await casesInHand(tx, physician.id, now);
  if (input.current === 'release' && hands[0] !== undefined) {
    const reason = input.release_reason ?? 'other';
    await releaseInHand(tx, work, hands[0], { physicianId: physician.id, reason });
    hands = hands.slice(1);
  }
  const [last, ...others] = hands[0] ?? [];
  if (last !== undefined && hands.length >= (physician.adminSettings.max_open_cases ?? 1)) {
    return { record: await extendLease(tx, work, last), batch: others, resumed: true };
  }
  await returnExpired(tx, { tenantId: actor.tenantId, now, limit: expiredAtOnce, requestId: request.id });
  const picked = await pickNext(tx, offer);
  if (picked === undefined) return { record: undefined, batch: [], resumed: false };
  const lease = { transition: 'take', physicianId: physician.id } as const;
  const record = await leaseCase(tx, work, picked, lease);
  const batch: CaseRecord[] = [];
  for (const each of await pickBatch(tx, offer, record)) batch.push(await leaseCase(tx, work, each, lease));
  return { record, batch, resumed: false };
}
