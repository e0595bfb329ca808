import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { readAnamnesis } from '../record/analysis.queries.ts';
import { flagColumns, withOwnRules } from '../record/case-flags.ts';
import { recordEmergency } from '../record/announce-danger.ts';
import { type CaseRecord, setCaseColumns } from '../record/case.queries.ts';
import type { CaseRules } from '../record/case-rules.ts';
import { openQuestion } from '../record/evaluate-eligibility.ts';
import { withoutQuestion } from '../record/question-left.ts';
import { reasonsLeft } from '../admission/reasons-left.ts';
import { dueAtLevel, rankOf } from '../record/due-time.ts';
import { laneAfterChange } from '../record/lane.ts';
import { requireReply } from './require-reply.ts';

/**
 * Judges by our own rules what the patient of a case in the queue has added. It stays in the queue, is due sooner where it has
 * become more urgent, and what it still lacks remains asked for.
 *
 * @param record locked, with the answers and photos that it has now.
 * @param isReplied whether that is all that its patient sends: a question of a physician is asked no more.
 * @throws {Problem} `message_required`
 */
export async function judgeAdded(
  tx: Tx,
  { audit, config, request }: Pick<Context, 'audit' | 'config' | 'request'>,
  record: CaseRecord,
  { rules, isReplied }: { rules: CaseRules; isReplied: boolean },
): Promise<void> {
  const now = request.receivedAt;
  if (isReplied && record.eligibility_reasons.includes(openQuestion)) await requireReply(tx, record);
  const flags = withOwnRules(record, await readAnamnesis(tx, record));
  const level = flags.triageLevel ?? 'routine';
  const about = { rules, imageUrlHosts: config.IMAGE_URL_HOSTS, now };
  const reasons = await reasonsLeft(tx, record, about);
  const set = {
    ...flagColumns({ ...flags, triageLevel: level }),
    eligibility_reasons: isReplied ? withoutQuestion(reasons) : reasons,
    due_at: dueAtLevel(record, level, { now, sla: rules.sla }),
    ...laneAfterChange(record, { rank: rankOf(level) }),
  };
  await setCaseColumns(tx, record.uuid, set);
  await recordEmergency(tx, audit, record, { ...record, ...set });
}
