import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { readBack } from '../../../lib/db/read-back.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { recordRead } from '../record/record-read.ts';
import { markMessagesRead } from '../record/message.queries.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import type { MobileCase } from '../record/mobile-case.schemas.ts';
import { findOwnCase } from '../record/own-case.ts';
import { showCases } from './show-cases.ts';

/** Whether patients of a tenant see what the AI service predicts. */
export async function showsPredictions(
  context: Pick<Context, 'db' | 'clock' | 'log' | 'memory'>,
  tenantId: number,
): Promise<boolean> {
  return (await readParameters(context, tenantId, 'portal/features')).show_ai_result;
}

/**
 * A case of the caller's own as it stands after a change.
 * @throws {Problem} `case_not_found`
 */
export async function readMobileCase(
  context: Context,
  actor: AccountActor,
  uuid: string,
): Promise<MobileCase> {
  return await readBack(async () => (await findShown(context, actor, uuid)).shown);
}

async function findShown(
  context: Context,
  actor: AccountActor,
  uuid: string,
): Promise<{ record: CaseRecord; shown: MobileCase }> {
  const { request, config } = context;
  const showPredictions = await showsPredictions(context, actor.tenantId);
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const record = await findOwnCase(tx, actor, uuid);
    const [shown] = await showCases(tx, { request, config, showPredictions }, [record]);
    return { record, shown: shown as MobileCase };
  });
}

/**
 * As {@link readMobileCase}, for a patient who looks at the case: messages to the patient count as read from then on, and
 * are still shown as new. They stay unread when staff read a case that they have made for the patient, which is an event.
 */
export async function readCase(context: Context, actor: AccountActor, uuid: string): Promise<MobileCase> {
  const { record, shown } = await findShown(context, actor, uuid);
  if (record.account_user_id !== actor.id) {
    await inTenant(context.db, actor.tenantId, (tx) => recordRead(tx, context, actor, record));
    return shown;
  }
  const unread = shown.messages.filter(
    ({ direction, read_at: readAt }) => direction === 'to_patient' && readAt === null,
  );
  if (unread.length > 0) {
    const uuids = unread.map((message) => message.uuid);
    await inTenant(context.db, actor.tenantId, (tx) =>
      markMessagesRead(tx, uuids, context.request.receivedAt),
    );
  }
  return shown;
}
