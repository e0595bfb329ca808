import type { Db, Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { batchSize, deleteOver } from './delete-over.ts';
import { sweepAiCalls } from './sweep-ai-calls.ts';

/** Used-up and revoked tokens stay this long: without them a replay could not be told from nonsense. */
const evidenceMs = 30 * 24 * 60 * 60 * 1000;
/** Messages that were given up stay this long for somebody to try them again (cli/outbox.ts). */
const deadMessagesMs = 30 * 24 * 60 * 60 * 1000;

export type Swept = Record<
  | 'refresh_tokens'
  | 'sessions'
  | 'reset_tokens'
  | 'verification_tokens'
  | 'invitations'
  | 'throttle'
  | 'refusal_windows'
  | 'idempotency_keys'
  | 'dead_messages'
  | 'ai_calls'
  | 'anamneses',
  number
>;

/**
 * Deletes what is over: tokens, sessions, invitations, counters, dead messages and AI calls. Small batches, each in a
 * transaction of its own, so that no lock is held long; whatever is left over when `deadline` is reached comes next time.
 *
 * @returns how many rows went, by kind.
 */
export async function sweep(db: Db, now: Date, deadline: AbortSignal): Promise<Swept> {
  const swept: Swept = {
    refresh_tokens: 0,
    sessions: 0,
    reset_tokens: 0,
    verification_tokens: 0,
    invitations: 0,
    throttle: 0,
    refusal_windows: 0,
    idempotency_keys: 0,
    dead_messages: 0,
    ai_calls: 0,
    anamneses: 0,
  };
  const evidenceEnds = new Date(now.getTime() - evidenceMs);
  swept.throttle = await inBatches(deadline, () =>
    deleteOver(db, 'throttle_counters', { key: 'key', end: (eb) => eb.ref('window_ends_at'), by: now }),
  );
  swept.refusal_windows = await inBatches(deadline, () =>
    deleteOver(db, 'refusal_windows', { key: 'key', end: (eb) => eb.ref('window_ends_at'), by: now }),
  );
  swept.idempotency_keys = await inBatches(deadline, () =>
    deleteOver(db, 'idempotency_keys', { key: 'ctid', end: (eb) => eb.ref('expires_at'), by: now }),
  );
  swept.dead_messages = await inBatches(deadline, () =>
    deleteOver(db, 'outbox_messages', {
      key: 'id',
      end: (eb) => eb.ref('dead_at'),
      by: new Date(now.getTime() - deadMessagesMs),
    }),
  );
  const tenants = await db.selectFrom('tenants').select('id').orderBy('id').execute();
  for (const { id } of tenants) {
    const batch = (work: (tx: Tx) => Promise<number>) => inBatches(deadline, () => inTenant(db, id, work));
    swept.refresh_tokens += await batch((tx) => deleteRefreshTokens(tx, now, evidenceEnds));
    swept.sessions += await batch((tx) => deleteSessions(tx, evidenceEnds));
    swept.reset_tokens += await batch((tx) =>
      deleteOver(tx, 'password_reset_tokens', {
        key: 'id',
        end: (eb) => eb.ref('expires_at'),
        by: evidenceEnds,
      }),
    );
    swept.verification_tokens += await batch((tx) =>
      deleteOver(tx, 'email_verification_tokens', {
        key: 'id',
        end: (eb) => eb.ref('expires_at'),
        by: evidenceEnds,
      }),
    );
    swept.invitations += await batch((tx) =>
      deleteOver(tx, 'invitations', { key: 'uuid', end: (eb) => eb.ref('expires_at'), by: evidenceEnds }),
    );
    await inBatches(deadline, async () => {
      const { deleted, blanked } = await sweepAiCalls(db, id, now);
      swept.ai_calls += deleted;
      swept.anamneses += blanked;
      return Math.max(deleted, blanked);
    });
  }
  return swept;
}

/** Expired ones at once, except those that were exchanged or revoked: they are the evidence of reuse. */
async function deleteRefreshTokens(tx: Tx, now: Date, evidenceEnds: Date): Promise<number> {
  return await deleteOver(tx, 'refresh_tokens', {
    key: 'id',
    end: (eb) => eb.ref('expires_at'),
    by: now,
    unless: (eb) =>
      eb.and([eb('revoked', '=', true), eb(eb.fn.coalesce('rotated_at', 'expires_at'), '>', evidenceEnds)]),
  });
}

/** A session goes 30 days after it ended, by whichever came first, with the tokens that are left of it. */
async function deleteSessions(tx: Tx, evidenceEnds: Date): Promise<number> {
  return await deleteOver(tx, 'sessions', {
    key: 'uuid',
    end: (eb) => eb.fn('least', ['idle_expires_at', 'absolute_expires_at', 'revoked_at']),
    by: evidenceEnds,
  });
}

async function inBatches(deadline: AbortSignal, deleteBatch: () => Promise<number>): Promise<number> {
  let total = 0;
  let deleted = batchSize;
  while (deleted === batchSize && !deadline.aborted) {
    deleted = await deleteBatch();
    total += deleted;
  }
  return total;
}
