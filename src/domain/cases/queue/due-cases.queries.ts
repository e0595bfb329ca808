import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';

// Literals: with a parameter a prepared statement could not use an index that has only such rows.
const isDraft = sql<boolean>`status = 'draft'`;
const isHeld = sql<boolean>`status = 'on_hold'`;

/** The latest times of the cases that are due. */
export interface DueBy {
  /** The last change of a draft. */
  draftsOf: Date;
  /** The beginning of a hold for the patient. */
  heldSince: Date;
  /** The beginning of another hold that has no date; of an urgent case. */
  undatedSince: Date;
  urgentUndatedSince: Date;
  /** The date of a hold, or the next reminder. */
  remindAt: Date;
  /** Of each kind. */
  limit: number;
}

/** Cases that may be due to be expired, queued or reminded of, each once. */
export async function findDueCases(tx: Tx, tenantId: number, by: DueBy): Promise<{ uuid: string }[]> {
  const cases = () =>
    tx.selectFrom('request_records').select('uuid').where('tenant_id', '=', tenantId).limit(by.limit);
  const drafts = cases().where(isDraft).where('updated_at', '<=', by.draftsOf).orderBy('updated_at');
  const held = cases()
    .where(isHeld)
    .where('pending_status', '=', 'awaiting_patient')
    .where('held_at', '<=', by.heldSince)
    .orderBy('held_at');
  const undated = cases()
    .where(isHeld)
    .where('pending_status', '!=', 'awaiting_patient')
    .where('remind_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('held_at', '<=', by.undatedSince),
        eb.and([eb('triage_rank', '<', 2), eb('held_at', '<=', by.urgentUndatedSince)]),
      ]),
    )
    .orderBy('held_at');
  const toRemind = cases().where(isHeld).where('remind_at', '<=', by.remindAt).orderBy('remind_at');
  const found = [
    await drafts.execute(),
    await held.execute(),
    await undated.execute(),
    await toRemind.execute(),
  ].flat();
  return [...new Set(found.map(({ uuid }) => uuid))].map((uuid) => ({ uuid }));
}
