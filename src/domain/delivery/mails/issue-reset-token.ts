import { auditEvents } from '../../../contract/audit.ts';
import { createOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { settle } from '../../../lib/outbox/claims.ts';
import type { OutboxMessage } from '../../../lib/outbox/message.ts';
import { inTransaction } from '../../../lib/db/transaction.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { appendRefusal } from '../../platform/events/record-refusal.ts';
import { replaceResetToken } from '../../identity/users/reset-token.queries.ts';
import { findLoginAccount } from '../../identity/users/user.queries.ts';
import { enqueueLinkMail } from '../../announce/mails/enqueue-mails.ts';
import type { MailDelivery } from '../../announce/mails/mail-delivery.ts';
import { type MailPayload, openSealed, LinkRequester } from '../../announce/mails/mail-payloads.ts';

/**
 * What a request for a reset comes to: one token, which supersedes the ones before, and one mail, both in the
 * transaction that removes the request, so that a crash at any point leads to the same end. For an unknown or
 * inactive account: a line in the event log.
 *
 * @throws {ClaimLost} when another worker had the request; nothing has happened here then.
 */
export async function issueResetToken(
  delivery: MailDelivery,
  message: OutboxMessage,
  request: MailPayload<'password_reset_requested'>,
): Promise<void> {
  const { db, log, clock, fieldCrypto, mailer, production, repetition } = delivery;
  const requester = LinkRequester.parse(
    JSON.parse(await openSealed(fieldCrypto, message, request.requester)),
  );
  const { request_id: id } = request;
  const ipPrefix = requester.ip_prefix ?? undefined;
  const actor = { kind: 'anonymous', tenantId: undefined, ipPrefix } as const;
  const audit = openAudit(auditEvents.passwordResetRequested, actor, { id, ipPrefix });
  const account = await findLoginAccount(db, requester.email);
  if (account === undefined || !account.is_active || !account.tenant_is_active) {
    await inTransaction(db, async (tx) => {
      await settle(tx, message);
      const reason = account === undefined ? 'unknown_account' : 'account_inactive';
      const failure = audit.event('failure', { detail: { reason } });
      await appendRefusal(tx, repetition, { ...failure, code: reason }, clock.now());
    });
    return;
  }

  const { user_id: userId, user_uuid: userUuid, tenant_id: tenantId } = account;
  const { token, hash } = createOpaqueToken('reset');
  const now = clock.now();
  await inTenant(db, tenantId, async (tx) => {
    await settle(tx, message);
    const tokenId = await replaceResetToken(tx, { tenantId, userId, hash, now });
    if (mailer !== undefined) {
      const row = { topic: 'password_reset', user_id: userId, reset_token_id: tokenId } as const;
      await enqueueLinkMail(tx, fieldCrypto, row, { tenantId, token, language: request.language });
    }
    const subject = { kind: 'user', uuid: userUuid };
    await audit.succeeded(tx, { tenantId, subject });
  });
  // The contract's way to a token on a laptop; in production it is in the mail and nowhere else.
  if (!production) log.info('password_reset_token', { token, user: userUuid });
}
