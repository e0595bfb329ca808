import type { Db, Tx } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';
import { independentSteps } from '../../../lib/concurrency/independent-steps.ts';
import type { Log } from '../../../lib/telemetry/log.ts';
import { batchSize, deleteExpired } from './delete-expired.ts';
import { sweepAiCalls } from './sweep-ai-calls.ts';
import { sweepCases } from './sweep-cases.ts';
import { sweepCheckLogs } from './sweep-check-logs.ts';
import { sweepDevicesOfEndedSessions } from './sweep-devices.ts';
import { sweepDrafts } from './sweep-drafts.ts';

const hourMs = 60 * 60 * 1000;
/** Used and revoked tokens stay this long: without them a replay cannot be distinguished from a random string. */
const evidenceMs = 30 * 24 * 60 * 60 * 1000;
/** Dead messages stay this long, so that an operator can retry them (cli/outbox.ts). */
const deadMessagesMs = 30 * 24 * 60 * 60 * 1000;
/** Mails wait so long for a mail server: what they announce or ask for is not known to be wanted any more. */
const waitingMailsMs = 30 * 24 * 60 * 60 * 1000;

/** A device that has not been seen for so long gets no more messages; the app registers it again when it is opened. */
const devicesMs = 90 * 24 * 60 * 60 * 1000;

type Kind =
  | 'refresh_tokens'
  | 'sessions'
  | 'reset_tokens'
  | 'verification_tokens'
  | 'invitations'
  | 'push_devices'
  | 'notices'
  | 'skips'
  | 'throttle'
  | 'refusal_windows'
  | 'idempotency_keys'
  | 'dead_messages'
  | 'waiting_mails'
  | 'drafts'
  | 'cases'
  | 'ai_calls'
  | 'anamneses'
  | 'check_logs';

export type Swept = Record<Kind, number>;

/**
 * Deletes expired tokens, sessions, invitations, devices, notices, skipped cases, counters, dead messages, mails without a mail server, drafts of answers, cases that
 * were never submitted, AI calls and checks, in small batches with a transaction each, so that no lock lasts long. The next run deletes what `deadline` cut off.
 * A kind that fails in a tenant holds up no other.
 *
 * @returns the number of deleted rows by kind.
 * @throws the first error, when everything has been tried.
 */
export async function sweep(
  { db, log }: { db: Db; log: Log },
  now: Date,
  deadline: AbortSignal,
): Promise<Swept> {
  const swept: Swept = {
    refresh_tokens: 0,
    sessions: 0,
    reset_tokens: 0,
    verification_tokens: 0,
    invitations: 0,
    push_devices: 0,
    notices: 0,
    skips: 0,
    throttle: 0,
    refusal_windows: 0,
    idempotency_keys: 0,
    dead_messages: 0,
    waiting_mails: 0,
    drafts: 0,
    cases: 0,
    ai_calls: 0,
    anamneses: 0,
    check_logs: 0,
  };
  const evidenceEnds = new Date(now.getTime() - evidenceMs);
  return await independentSteps(log, async (attempt) => {
    const step = (kind: Kind, deleteBatch: () => Promise<number>, tenant?: number) =>
      attempt({ tenant, kind }, () =>
        inBatches(deadline, async () => {
          const deleted = await deleteBatch();
          swept[kind] += deleted;
          return deleted;
        }),
      );
    await step('throttle', () =>
      deleteExpired(db, 'throttle_counters', {
        key: 'key',
        expiresAt: (eb) => eb.ref('window_ends_at'),
        cutoff: now,
      }),
    );
    await step('refusal_windows', () =>
      deleteExpired(db, 'refusal_windows', {
        key: 'key',
        expiresAt: (eb) => eb.ref('window_ends_at'),
        cutoff: now,
      }),
    );
    await step('idempotency_keys', () =>
      deleteExpired(db, 'idempotency_keys', {
        key: 'ctid',
        expiresAt: (eb) => eb.ref('expires_at'),
        cutoff: now,
      }),
    );
    await step('dead_messages', () =>
      deleteExpired(db, 'outbox_messages', {
        key: 'id',
        expiresAt: (eb) => eb.ref('dead_at'),
        cutoff: new Date(now.getTime() - deadMessagesMs),
      }),
    );
    await step('waiting_mails', () =>
      deleteExpired(db, 'outbox_messages', {
        key: 'id',
        // Not `created_at`: an operator may have made an old one due again.
        expiresAt: (eb) => eb.ref('available_at'),
        among: (eb) => eb.and([eb('consumer', '=', 'mail'), eb('dead_at', 'is', null)]),
        cutoff: new Date(now.getTime() - waitingMailsMs),
      }),
    );
    const sweepTenant = async (id: number) => {
      const batch = (kind: Kind, work: (tx: Tx) => Promise<number>) =>
        step(kind, () => inTenant(db, id, work), id);
      await batch('refresh_tokens', (tx) => deleteRefreshTokens(tx, now, evidenceEnds));
      await batch('sessions', (tx) => deleteSessions(tx, evidenceEnds));
      await batch('reset_tokens', (tx) =>
        deleteExpired(tx, 'password_reset_tokens', {
          key: 'id',
          expiresAt: (eb) => eb.ref('expires_at'),
          cutoff: evidenceEnds,
        }),
      );
      await batch('verification_tokens', (tx) =>
        deleteExpired(tx, 'email_verification_tokens', {
          key: 'id',
          expiresAt: (eb) => eb.ref('expires_at'),
          cutoff: evidenceEnds,
        }),
      );
      await batch('invitations', (tx) =>
        deleteExpired(tx, 'invitations', {
          key: 'uuid',
          expiresAt: (eb) => eb.ref('expires_at'),
          cutoff: evidenceEnds,
        }),
      );
      await batch('push_devices', (tx) =>
        deleteExpired(tx, 'push_devices', {
          key: 'uuid',
          expiresAt: (eb) => eb.ref('last_seen_at'),
          cutoff: new Date(now.getTime() - devicesMs),
        }),
      );
      await batch('push_devices', (tx) => sweepDevicesOfEndedSessions(tx, now));
      await batch('notices', (tx) =>
        deleteExpired(tx, 'user_notices', {
          key: 'id',
          expiresAt: (eb) => eb.ref('expires_at'),
          cutoff: now,
        }),
      );
      await batch('skips', (tx) =>
        deleteExpired(tx, 'case_skips', { key: 'ctid', expiresAt: (eb) => eb.ref('until'), cutoff: now }),
      );
      await batch('drafts', (tx) => sweepDrafts(tx, id, now));
      await step('cases', () => sweepCases(db, id, now), id);
      await step('check_logs', () => sweepCheckLogs(db, id, now), id);
      await attempt({ tenant: id, kind: 'ai_calls' }, () =>
        inBatches(deadline, async () => {
          const { deleted, blanked } = await sweepAiCalls(db, id, now);
          swept.ai_calls += deleted;
          swept.anamneses += blanked;
          return Math.max(deleted, blanked);
        }),
      );
    };
    await forEachTenant(db, sweepTenant, { attempt, order: (tenants) => inTurn(tenants, now) });
    return swept;
  });
}

/** Each hour another tenant is the first, so that one with more than a run deletes keeps no other waiting for good. */
export function inTurn<T>(tenants: readonly T[], now: Date): T[] {
  const first = Math.floor(now.getTime() / hourMs) % Math.max(tenants.length, 1);
  return [...tenants.slice(first), ...tenants.slice(0, first)];
}

/** Deletes expired tokens at once, except exchanged and revoked ones: they are the evidence of reuse. */
async function deleteRefreshTokens(tx: Tx, now: Date, evidenceEnds: Date): Promise<number> {
  return await deleteExpired(tx, 'refresh_tokens', {
    key: 'id',
    expiresAt: (eb) => eb.ref('expires_at'),
    cutoff: now,
    except: (eb) =>
      eb.and([eb('revoked', '=', true), eb(eb.fn.coalesce('rotated_at', 'expires_at'), '>', evidenceEnds)]),
  });
}

/** Deletes a session 30 days after its earliest end (idle, absolute or revoked), with its remaining tokens. */
async function deleteSessions(tx: Tx, evidenceEnds: Date): Promise<number> {
  return await deleteExpired(tx, 'sessions', {
    key: 'uuid',
    expiresAt: (eb) => eb.fn('least', ['idle_expires_at', 'absolute_expires_at', 'revoked_at']),
    cutoff: evidenceEnds,
  });
}

async function inBatches(deadline: AbortSignal, deleteBatch: () => Promise<number>): Promise<void> {
  let deleted = batchSize;
  while (deleted === batchSize && !deadline.aborted) deleted = await deleteBatch();
}
