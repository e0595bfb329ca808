import type { Db, Tx } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';
import { independentSteps } from '../../../lib/concurrency/independent-steps.ts';
import type { Log } from '../../../lib/telemetry/log.ts';
import {
  batchSize,
  deleteDeadMessages,
  deleteDevicesOfEndedSessions,
  deleteIdempotencyKeys,
  deleteInvitations,
  deleteNotices,
  deleteRefreshTokens,
  deleteRefusalWindows,
  deleteResetTokens,
  deleteSessions,
  deleteSkips,
  deleteThrottleCounters,
  deleteUnseenDevices,
  deleteVerificationTokens,
  deleteWaitingMails,
} from './expired-rows.queries.ts';
import { sweepAiCalls, sweepCases, sweepCheckLogs, sweepDrafts } from './swept-cases.queries.ts';

const hourMs = 60 * 60 * 1000;
/** Used and revoked tokens stay this long: without them a replay cannot be distinguished from a random string. */
const evidenceMs = 30 * 24 * 60 * 60 * 1000;
/** Dead messages stay this long, so that an operator can retry them (cli/outbox.ts). */
const deadMessagesMs = 30 * 24 * 60 * 60 * 1000;
/** Mails wait so long for a mail server: what they announce or ask for is not known to be wanted any more. */
const waitingMailsMs = 30 * 24 * 60 * 60 * 1000;

/** A device that has not been seen for so long gets no more messages; the app registers it again when it is opened. */
const devicesMs = 90 * 24 * 60 * 60 * 1000;
/** A physician who gets the case back within this time goes on with the draft. */
const draftsMs = 7 * 24 * 60 * 60 * 1000;

const nothingSwept = {
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
type Kind = keyof typeof nothingSwept;
export type Swept = Record<Kind, number>;

/**
 * Deletes expired tokens, sessions, invitations, devices, notices, skipped cases, counters, dead messages, mails without a mail
 * server, drafts of answers, cases that were never submitted, AI calls and checks, in small batches with a transaction each, so
 * that no lock lasts long. The next run deletes what `deadline` cut off. A kind that fails in a tenant holds up no other.
 *
 * @returns the number of deleted rows by kind.
 * @throws the first error, when everything has been tried.
 */
export async function sweep(
  { db, log }: { db: Db; log: Log },
  now: Date,
  deadline: AbortSignal,
): Promise<Swept> {
  const swept: Swept = { ...nothingSwept };
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const evidenceEnds = ago(evidenceMs);
  return await independentSteps(log, async (attempt) => {
    const step = (kind: Kind, deleteBatch: () => Promise<number>, tenant?: number) =>
      attempt({ tenant, kind }, () =>
        inBatches(deadline, async () => {
          const deleted = await deleteBatch();
          swept[kind] += deleted;
          return deleted;
        }),
      );
    await step('throttle', () => deleteThrottleCounters(db, now));
    await step('refusal_windows', () => deleteRefusalWindows(db, now));
    await step('idempotency_keys', () => deleteIdempotencyKeys(db, now));
    await step('dead_messages', () => deleteDeadMessages(db, ago(deadMessagesMs)));
    await step('waiting_mails', () => deleteWaitingMails(db, ago(waitingMailsMs)));
    const sweepTenant = async (id: number) => {
      const batch = (kind: Kind, work: (tx: Tx) => Promise<number>) =>
        step(kind, () => inTenant(db, id, work), id);
      await batch('refresh_tokens', (tx) => deleteRefreshTokens(tx, now, evidenceEnds));
      await batch('sessions', (tx) => deleteSessions(tx, evidenceEnds));
      await batch('reset_tokens', (tx) => deleteResetTokens(tx, evidenceEnds));
      await batch('verification_tokens', (tx) => deleteVerificationTokens(tx, evidenceEnds));
      await batch('invitations', (tx) => deleteInvitations(tx, evidenceEnds));
      await batch('push_devices', (tx) => deleteUnseenDevices(tx, ago(devicesMs)));
      await batch('push_devices', (tx) => deleteDevicesOfEndedSessions(tx, now));
      await batch('notices', (tx) => deleteNotices(tx, now));
      await batch('skips', (tx) => deleteSkips(tx, now));
      await batch('drafts', (tx) => sweepDrafts(tx, id, ago(draftsMs)));
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

async function inBatches(deadline: AbortSignal, deleteBatch: () => Promise<number>): Promise<void> {
  let deleted = batchSize;
  while (deleted === batchSize && !deadline.aborted) deleted = await deleteBatch();
}
