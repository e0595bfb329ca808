import { auditEvents } from '../../../contract/audit.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { settle } from '../../../lib/outbox/claims.ts';
import type { OutboxMessage } from '../../../lib/outbox/message.ts';
import { inTransaction } from '../../../lib/db/transaction.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { appendRefusal } from '../../platform/events/record-refusal.ts';
import { findAddressOwner } from '../../membership/users/account.queries.ts';
import { addVerification } from '../../identity/users/add-verification.ts';
import type { MailDelivery } from '../../announce/mails/mail-delivery.ts';
import { LinkRequester, type MailPayload, openSealed } from '../../announce/mails/mail-payloads.ts';

/**
 * What a request for a verification link comes to: one token and one mail, in the transaction that removes the request.
 * For an address that is unknown, inactive or verified already: a line in the event log.
 *
 * @throws {ClaimLost} when another worker had the request; nothing has happened here then.
 */
export async function issueVerificationToken(
  delivery: MailDelivery,
  message: OutboxMessage,
  request: MailPayload<'email_verification_requested'>,
): Promise<void> {
  const { db, log, clock, fieldCrypto, mailer, production, repetition } = delivery;
  const { email, ip_prefix: prefix } = LinkRequester.parse(
    JSON.parse(await openSealed(fieldCrypto, message, request.requester)),
  );
  const { request_id: id } = request;
  const ipPrefix = prefix ?? undefined;
  const actor = { kind: 'anonymous', tenantId: undefined, ipPrefix } as const;
  const audit = openAudit(auditEvents.emailVerificationRequested, actor, { id, ipPrefix });
  const account = await findAddressOwner(db, email);
  const reason = reasonToIgnore(account);
  if (account === undefined || reason !== undefined) {
    await inTransaction(db, async (tx) => {
      await settle(tx, message);
      const code = reason ?? 'unknown_account';
      const failure = audit.event('failure', { detail: { reason: code } });
      await appendRefusal(tx, repetition, { ...failure, code }, clock.now());
    });
    return;
  }
  const { tenant_id: tenantId, user_id: userId, user_uuid: uuid } = account;
  const token = await inTenant(db, tenantId, async (tx) => {
    await settle(tx, message);
    const { language } = request;
    const byMail = mailer !== undefined;
    const made = await addVerification(tx, fieldCrypto, {
      tenantId,
      userId,
      email,
      language,
      now: clock.now(),
      byMail,
    });
    await audit.succeeded(tx, { tenantId, subject: { kind: 'user', uuid } });
    return made;
  });
  // On a laptop without a mail server the log is the mailbox.
  if (!production) log.info('email_verification_token', { token, user: uuid });
}

function reasonToIgnore(account: Awaited<ReturnType<typeof findAddressOwner>>): string | undefined {
  if (account === undefined) return 'unknown_account';
  if (!account.is_active || !account.tenant_is_active) return 'account_inactive';
  return account.is_verified ? 'already_verified' : undefined;
}
