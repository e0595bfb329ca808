import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { readAnamnesis } from '../record/analysis.queries.ts';
import { flagColumns, isMoreDangerous, withOwnRules } from '../record/case-flags.ts';
import { recordEmergency } from '../record/announce-danger.ts';
import { type CaseRecord, setCaseColumns } from '../record/case.queries.ts';
import type { Submission } from '../admission/submit-case.ts';
import { type ReplyRules, submitOrReply } from './submit-or-reply.ts';

/**
 * Judges by our own rules what the patient of a case on hold has changed without `submit`, which may never come. A case with a
 * new danger goes on as with `submit`, because it would not be seen on hold, unless a consent is missing. Its due time follows
 * from the flags once it is queued.
 *
 * @param record locked, with the answers that it has now.
 * @returns what is to be analysed after the commit.
 */
export async function judgeHeld(
  tx: Tx,
  context: Pick<Context, 'audit' | 'config' | 'request'>,
  actor: Pick<AccountActor, 'id'>,
  record: CaseRecord,
  rules: ReplyRules,
): Promise<Submission | undefined> {
  const flags = withOwnRules(record, await readAnamnesis(tx, record));
  const isByPhysician = record.queued_at !== null;
  const isReady = isByPhysician || record.consent_version === rules.consent.current;
  // Of a hold by the service, an older danger has waited for nothing but the consent.
  const isDangerous = isMoreDangerous(flags, record) || (!isByPhysician && flags.urgentFlags.length > 0);
  if (isReady && isDangerous)
    return await submitOrReply(tx, context, actor, record, rules, { isReplied: false });
  const { triage_rank: rank, ...found } = flagColumns(flags);
  // By the rank of before, a reply to a physician finds out that the case has become more urgent.
  const set = isByPhysician ? found : { ...found, triage_rank: rank };
  await setCaseColumns(tx, record.uuid, set);
  await recordEmergency(tx, context.audit, record, { ...record, ...set });
  return undefined;
}
