import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { isQuestionAnswered } from './question.queries.ts';

/**
 * Refuses to end a physician's question to which its patient has sent nothing, because a question takes one reply. Words, a
 * photo or changed answers are a reply, also where earlier requests have brought them. Corrections by staff are none.
 *
 * @param record locked.
 * @throws {Problem} `message_required`
 */
export async function requireReply(tx: Tx, { uuid }: Pick<CaseRecord, 'uuid'>): Promise<void> {
  if ((await isQuestionAnswered(tx, uuid)) === false) throw new Problem('message_required');
}
