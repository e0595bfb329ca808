import type { TenantActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { requireVisibleImages } from '../../media/images/visible-images.ts';
import { askAi } from '../ai-calls/ask-ai.ts';
import { helpLinesOf } from '../ai-calls/reply-fields.ts';
import { parseOptionsOf, readPartialAnamnesis } from '../anamnesis/parse-anamnesis.ts';
import { type Triage, TriageReply } from '../triage/triage.schemas.ts';
import { assessRedFlags } from './assess-red-flags.ts';
import { isEmergency } from './evaluate-red-flags.ts';
import { type RedFlags, RedFlagsReply } from './red-flags.schemas.ts';

/**
 * Red flags of the AI service and of our own rules, for answers that may be incomplete. The answers are not stored; the
 * codes of flags that only our own rules raised are, in the record of the call.
 * @throws {Problem} `anamnesis_invalid`; {AiFailure} unless our own rules find an emergency
 */
export async function checkRedFlags(context: Context, actor: TenantActor, body: unknown): Promise<RedFlags> {
  const anamnesis = readPartialAnamnesis(body, parseOptionsOf(context));
  await requireVisibleImages(context, actor, anamnesis);
  const answers = { json: anamnesis };
  const red_flags = { body: answers, reply: RedFlagsReply };
  const triage = { body: answers, reply: TriageReply };
  const question = {
    kind: 'red_flags' as const,
    toAnswer(replies: { red_flags?: RedFlags; triage?: Triage }) {
      const fromAi = { redFlags: replies.red_flags, triage: replies.triage };
      const assessed = assessRedFlags(fromAi, anamnesis, context.request.language);
      return {
        answer: { ...assessed.redFlags, ...helpLinesOf(context.config) },
        // A service that gave no reply has not disagreed.
        ...(replies.red_flags !== undefined && { safetyNet: assessed.safetyNet }),
      };
    },
  };
  return isEmergency(anamnesis)
    ? await askAi(context, actor, { ...question, needed: {}, companions: { red_flags, triage } })
    : await askAi(context, actor, { ...question, needed: { red_flags }, companions: { triage } });
}
