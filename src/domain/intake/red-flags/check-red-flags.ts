import type { TenantActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/context.ts';
import { requireVisibleImages } from '../../media/images/visible-images.ts';
import { askAi } from '../ai-calls/ask-ai.ts';
import { helpLinesOf } from '../ai-calls/reply-fields.ts';
import { parseOptionsOf, readPartialAnamnesis } from '../anamnesis/parse-anamnesis.ts';
import { TriageReply } from '../triage/triage.schemas.ts';
import { assessRedFlags } from './assess-red-flags.ts';
import { type RedFlags, RedFlagsReply } from './red-flags.schemas.ts';

/**
 * Red flags of the AI service and of our own rules, for answers that may be incomplete. The answers are not stored; the
 * codes of flags that only our own rules raised are, in the record of the call.
 * @throws {Problem} `anamnesis_invalid`; {AiFailure}
 */
export async function checkRedFlags(context: Context, actor: TenantActor, body: unknown): Promise<RedFlags> {
  const anamnesis = readPartialAnamnesis(body, parseOptionsOf(context));
  await requireVisibleImages(context, actor, anamnesis);
  const answers = { json: anamnesis };
  return await askAi(context, actor, {
    kind: 'red_flags',
    needed: { red_flags: { body: answers, reply: RedFlagsReply } },
    companions: { triage: { body: answers, reply: TriageReply } },
    toAnswer({ red_flags: fromAi, triage }) {
      const assessed = assessRedFlags({ redFlags: fromAi, triage }, anamnesis, context.request.language);
      const answer = { ...assessed.redFlags, ...helpLinesOf(context.config) };
      return { answer, safetyNet: assessed.safetyNet };
    },
  });
}
