import type { AuditContext, AuditFacts } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { enqueue, type NewMessage } from '../../../lib/outbox/enqueue.ts';
import { isForPatient, newsOf } from '../../announce/news/news.ts';
import type { CaseChanges, CaseRecord } from './case.queries.ts';
import { type Place, placeOf, standingAt } from './case-status.ts';
import { addNoticesOfMove } from './notices-of-moves.ts';
import { stateConflict } from './state-conflict.ts';
import { newsKindOf } from './news-of-move.ts';
import { insertDraft, moveCase, type NewCase } from './transition.queries.ts';
import { type Party, type TransitionName, transitionOf } from './transitions.ts';

export interface Move {
  transition: TransitionName;
  /** Where it leads, for a transition with more than one end. */
  to?: Place;
  /** `system` where absent. */
  by?: Party;
  set?: CaseChanges;
  detail?: NonNullable<AuditFacts['detail']>;
  /**
   * When a timer was to make the move; now where absent. Its news is as old as that: in a database that was restored from a
   * backup much is overdue, and tells people nothing.
   */
  due?: Date;
  /** Stored with the move; call `outbox.kick()` after the commit. */
  messages?: readonly NewMessage[];
}

/**
 * Moves a case: the only writer of `status`. The row, its event, its messages and notices stand together or not at all, those
 * to the people who are to learn of it among them.
 *
 * @param record locked by `lockCase` in this transaction.
 * @throws {Problem} `case_state_conflict` when the case stands where the transition does not begin.
 */
export async function applyTransition(
  tx: Tx,
  { audit, now }: { audit: AuditContext; now: Date },
  record: CaseRecord,
  { transition: name, to, by = 'system', set = {}, detail = {}, due = now, messages = [] }: Move,
): Promise<CaseRecord> {
  const transition = transitionOf(name);
  const from = placeOf(record);
  if (!transition.from.includes(from) || !transition.by.includes(by)) throw stateConflict(record, by);
  const { status, pendingStatus } = standingAt(endOf(name, from, to));
  const news = newsKindOf(name, pendingStatus);
  const columns = { ...set, ...(news !== undefined && isForPatient(news) && { notified_at: null }) };
  const changed = await moveCase(tx, record, { status, pendingStatus, set: columns }, now);
  await recordMove(tx, audit, name, changed, { from: record.status, ...detail });
  const told = news === undefined ? [] : newsOf(changed, news, due);
  for (const message of [...messages, ...told]) await enqueue(tx, message, now);
  await addNoticesOfMove(tx, name, { before: record, after: changed, now });
  return changed;
}

/** A new draft (T01). */
export async function createDraft(
  tx: Tx,
  { audit, now }: { audit: AuditContext; now: Date },
  columns: NewCase,
  detail: NonNullable<AuditFacts['detail']> = {},
): Promise<CaseRecord> {
  const created = await insertDraft(tx, columns, now);
  await recordMove(tx, audit, 'create', created, detail);
  return created;
}

async function recordMove(
  tx: Tx,
  audit: AuditContext,
  name: TransitionName,
  record: CaseRecord,
  detail: NonNullable<AuditFacts['detail']>,
): Promise<void> {
  await audit.as(transitionOf(name).event).succeeded(tx, {
    tenantId: record.tenant_id,
    subject: { kind: 'case', uuid: record.uuid },
    caseUuid: record.uuid,
    patientId: record.patient_id,
    detail: { to: record.status, version: record.version, ...detail },
  });
}

function endOf(name: TransitionName, from: Place, to: Place | undefined): Place {
  const ends = transitionOf(name).to;
  if (ends === 'same') return from;
  const end = to ?? (ends.length === 1 ? ends[0] : undefined);
  if (end === undefined || !ends.includes(end)) throw new Error(`${name} does not lead to ${end}`);
  return end;
}
