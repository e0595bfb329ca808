import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKey,
} from '../../../lib/idempotency/idempotency.ts';
import type { BulkItem } from '../../cases/record/bulk-result.schemas.ts';
import { lockVisibleCases } from '../handling/handling.queries.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { configuredChannels } from '../../announce/news/configured-channels.ts';
import { type AnswerWork, readAnswerRules } from '../../answers/annotations/answer-work.ts';
import { publishAnswer } from '../../answers/annotations/publish-answer.ts';
import { type NotifyCode, notifyCodes, type NotifyPatients } from './notify-patients.schemas.ts';
import { repeatNews, type RepeatWork } from './repeat-news.ts';

type Results = { results: BulkItem<NotifyCode>[] };

/**
 * Tells patients of their answers: one that is signed is published at once (T19), which tells its patient by itself; of one
 * that is published the patient is told again. Each case succeeds or fails alone, in the order given.
 *
 * @throws {Problem} those of idempotency
 */
export async function notifyPatients(
  context: Context,
  actor: AccountActor,
  input: NotifyPatients,
): Promise<IdempotentOutcome<Results>> {
  const { db, audit, push, outbox, request } = context;
  const route = 'api/v1/backoffice/cases/notify-patient';
  const key = idempotentRequest(context, actor, route, [canonicalJson(input)]);
  return await withIdempotencyKey<Results>(db, key, async (done) => {
    const channels = await configuredChannels(context, actor.tenantId);
    const rules = await readAnswerRules(context, actor.tenantId);
    const work = { audit, now: request.receivedAt, push, channels, rules };
    const reply = await inTenant(db, actor.tenantId, async (tx) => {
      const staff = await loadStaff(tx, actor);
      const records = await lockVisibleCases(tx, staff, input.case_uuids);
      const results: Results['results'] = [];
      for (const uuid of input.case_uuids) results.push(await tell(tx, work, uuid, records, input.channels));
      const told = results.filter(({ ok }) => ok).length;
      await audit.succeeded(tx, { detail: { cases: results.length, told } });
      await done(tx, { results });
      return { results };
    });
    outbox.kick();
    return reply;
  });
}

/** @returns what became of it: a refusal, thrown before anything is written, fails this case alone. */
async function tell(
  tx: Tx,
  work: RepeatWork & AnswerWork,
  uuid: string,
  records: Map<string, CaseRecord>,
  channels: NotifyPatients['channels'],
): Promise<BulkItem<NotifyCode>> {
  try {
    const record = records.get(uuid.toLowerCase());
    if (record === undefined) throw new Problem('case_not_found');
    if (record.status !== 'answered') {
      await repeatNews(tx, work, record, channels);
      return { case_uuid: uuid, ok: true, version: record.version };
    }
    const { record: closed } = await publishAnswer(tx, work, record);
    records.set(closed.uuid, closed);
    return { case_uuid: uuid, ok: true, version: closed.version };
  } catch (error) {
    const code = error instanceof Problem ? notifyCodes.find((each) => each === error.code) : undefined;
    if (code === undefined) throw error;
    return { case_uuid: uuid, ok: false, code, detail: (error as Problem).message };
  }
}
