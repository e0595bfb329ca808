import type { TenantActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { requireVisibleImages } from '../../media/images/visible-images.ts';
import { askAi } from '../ai-calls/ask-ai.ts';
import { helpLinesOf } from '../ai-calls/reply-fields.ts';
import { parseOptionsOf, readPartialAnamnesis } from '../anamnesis/parse-anamnesis.ts';
import { isEmergency } from '../red-flags/evaluate-red-flags.ts';
import { type RedFlags, RedFlagsReply } from '../red-flags/red-flags.schemas.ts';
import { assessTriage, unaidedEmergency } from './assess-triage.ts';
import { type Triage, TriageReply } from './triage.schemas.ts';

/**
 * How soon a physician should see a case, from answers that may be incomplete. Neither they nor the level are
 * stored; the codes of flags that only our own rules raised are, in the record of the call.
 * @throws {Problem} `anamnesis_invalid`; {AiFailure} unless our own rules find an emergency
 */
export async function triageCase(context: Context, actor: TenantActor, body: unknown): Promise<Triage> {
  const anamnesis = readPartialAnamnesis(body, parseOptionsOf(context));
  await requireVisibleImages(context, actor, anamnesis);
  const answers = { json: anamnesis };
  const triage = { body: answers, reply: TriageReply };
  const red_flags = { body: answers, reply: RedFlagsReply };
  const question = {
    kind: 'triage' as const,
    toAnswer(replies: { triage?: Triage; red_flags?: RedFlags }) {
      const fromAi = { redFlags: replies.red_flags, triage: replies.triage ?? unaidedEmergency };
      const assessed = assessTriage(fromAi, anamnesis, context.request.language);
      return {
        answer: { ...assessed.triage, ...helpLinesOf(context.config) },
        // A service that gave no level has not disagreed.
        ...(replies.triage !== undefined && { safetyNet: assessed.safetyNet }),
      };
    },
  };
  return isEmergency(anamnesis)
    ? await askAi(context, actor, { ...question, needed: {}, companions: { triage, red_flags } })
    : await askAi(context, actor, { ...question, needed: { triage }, companions: { red_flags } });
}
