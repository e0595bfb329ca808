import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { casesInHand, releaseInHand } from '../../cases/queue/cases-in-hand.ts';
import { extendLease, leaseCase } from '../../cases/queue/lease.ts';
import type { NextCaseRequest } from './next-case.schemas.ts';
import { type Offer, pickBatch, pickNext } from '../../cases/queue/offered-cases.queries.ts';
import type { QueueRules } from '../../cases/record/queue-rules.ts';
import { returnExpired } from '../../cases/queue/return-expired.ts';

/** Expired leases that one request returns; the timer returns the others. */
const expiredAtOnce = 20;

/** The case that a physician works on now, with the others of its batch. */
export interface Turn {
  record: CaseRecord | undefined;
  batch: readonly CaseRecord[];
  /** Whether it was in the physician's hand before. */
  resumed: boolean;
}

/** The case to be answered next: the one in hand where no further one is allowed, else one that is taken for it. */
export async function reviewTurn(
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
