import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { enqueue, type NewMessage } from '../../../lib/outbox/enqueue.ts';
import { isAnswerAvailable } from '../../cases/record/answer-available.ts';
import { findOwnCase } from '../../cases/record/own-case.ts';
import { readCurrentParameters } from '../../platform/parameters/read-parameters.ts';
import { sealPurpose } from '../../announce/mails/mail-payloads.ts';
import type { RequestedMail } from './requested-mail.schemas.ts';

/**
 * Queues a mail that the caller asks for. Its recipient is the support address of the tenant, or the caller; the caller's own
 * address has to be verified for both: replies of the support go there.
 *
 * @throws {Problem} `email_unverified`, `no_channel`, `case_not_found`, `nothing_to_publish`
 */
export async function requestMail(
  context: Context,
  actor: AccountActor,
  input: RequestedMail,
): Promise<{ queued: true }> {
  const { db, audit, config, outbox, request } = context;
  if (!actor.account.user.is_verified) throw new Problem('email_unverified');
  if (config.MAIL_URL === undefined && config.production) throw new Problem('no_channel');
  const message = await messageOf(context, actor, input);
  await inTenant(db, actor.tenantId, async (tx) => {
    const uuid = input.case_uuid;
    const record = uuid === undefined ? undefined : await findOwnCase(tx, actor, uuid);
    if (input.template === 'case_answer_link' && (record === undefined || !isAnswerAvailable(record))) {
      throw new Problem('nothing_to_publish');
    }
    await enqueue(tx, message, request.receivedAt);
    await audit.succeeded(tx, {
      subject: { kind: 'user', uuid: actor.uuid },
      ...(record !== undefined && { caseUuid: record.uuid, patientId: record.patient_id }),
      detail: { template: input.template },
    });
  });
  outbox.kick();
  return { queued: true };
}

async function messageOf(
  context: Context,
  { id: userId, tenantId }: AccountActor,
  input: RequestedMail,
): Promise<NewMessage> {
  const { fieldCrypto, request } = context;
  const dedupeKey = `${input.template}:${uuidv7()}`;
  const own = {
    user_id: userId,
    language: request.language,
    requested_at: request.receivedAt.toISOString(),
  };
  const mail = { consumer: 'mail', topic: input.template, tenantId, dedupeKey } as const;
  if (input.template === 'case_answer_link')
    return { ...mail, payload: { ...own, case_uuid: input.case_uuid } };
  const { support_email: to } = await readCurrentParameters(context, tenantId, 'mobile/app');
  if (to === null) throw new Problem('no_channel');
  const message = await fieldCrypto.seal(input.message, sealPurpose(dedupeKey));
  return { ...mail, payload: { ...own, case_uuid: input.case_uuid ?? null, message } };
}
