import type { TenantActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/context.ts';
import { requireVisibleImages } from '../../media/images/visible-images.ts';
import { askAi } from '../ai-calls/ask-ai.ts';
import { helpLinesOf } from '../ai-calls/reply-fields.ts';
import { parseOptionsOf, readPartialAnamnesis } from '../anamnesis/parse-anamnesis.ts';
import { RedFlagsReply } from '../red-flags/red-flags.schemas.ts';
import { assessTriage } from './assess-triage.ts';
import { type Triage, TriageReply } from './triage.schemas.ts';

/**
 * How soon a physician should see a case, from answers that may be incomplete. Neither they nor the level are
 * stored; the codes of flags that only our own rules raised are, in the record of the call.
 * @throws {Problem} `anamnesis_invalid`; {AiFailure}
 */
export async function triageCase(context: Context, actor: TenantActor, body: unknown): Promise<Triage> {
  const anamnesis = readPartialAnamnesis(body, parseOptionsOf(context));
  await requireVisibleImages(context, actor, anamnesis);
  const answers = { json: anamnesis };
  return await askAi(context, actor, {
    kind: 'triage',
    needed: { triage: { body: answers, reply: TriageReply } },
    companions: { red_flags: { body: answers, reply: RedFlagsReply } },
    toAnswer({ triage: fromAi, red_flags: redFlags }) {
      const assessed = assessTriage({ redFlags, triage: fromAi }, anamnesis, context.request.language);
      return {
        answer: { ...assessed.triage, ...helpLinesOf(context.config) },
        safetyNet: assessed.safetyNet,
      };
    },
  });
}
