import { z } from 'zod';
import { Timestamp } from '../../../contract/timestamp.ts';
import { Annotation } from '../../answers/annotations/annotation.schemas.ts';
import { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { Prediction } from '../../intake/diagnoses/diagnosis.schemas.ts';
import { FlagDetail, RedFlags } from '../../intake/red-flags/red-flags.schemas.ts';
import { Triage } from '../../intake/triage/triage.schemas.ts';
import { CaseMessage } from '../../cases/record/mobile-case.schemas.ts';
import { CaseImage } from '../../cases/record/case-image.schemas.ts';
import { CaseSummary } from '../../cases/record/case-summary.schemas.ts';
import { offeredToStaff } from '../../cases/record/staff-actions.ts';

export const EligibilityReason = z
  .object({
    code: z.string().meta({ description: 'Stable code.' }),
    text: z.string().meta({ description: 'In the language of the request.' }),
  })
  .meta({ id: 'EligibilityReason', description: 'Why a case was judged as it was.' });

export const CaseDetail = CaseSummary.extend({
  anamnesis: PartialAnamnesis,
  anamnesis_revision: z.int().meta({ description: 'Grows with each change of the answers.' }),
  images: z.array(CaseImage).meta({ description: 'In their order.' }),
  flag_details: z
    .array(FlagDetail)
    .meta({ description: 'Every red flag of the case, the most urgent first.' }),
  analysis: z
    .object({
      predictions: z.array(Prediction).meta({ description: 'Most probable first.' }),
      red_flags: RedFlags,
      triage: Triage,
      model_version: z.string().nullable().meta({ description: 'Of the AI service.' }),
      analysed_at: Timestamp.meta({ description: 'When it answered.' }),
      degraded: z
        .boolean()
        .meta({ description: 'Whether answers have changed since without a new analysis.' }),
      safety_net: z
        .object({
          added_flags: z.array(z.string()).meta({ description: 'Flags that only our own rules found.' }),
          disagreement: z.boolean().meta({ description: 'Whether the AI service missed an urgent one.' }),
        })
        .nullable()
        .meta({ id: 'SafetyNet', description: 'What our own rules added to its answer.' }),
    })
    .nullable()
    .meta({ id: 'StaffAnalysis', description: 'What the AI service answered; null where it has not.' }),
  eligibility: z
    .object({
      outcome: z.string().nullable().meta({ description: 'Null before it was judged.' }),
      reasons: z.array(EligibilityReason).meta({ description: 'All that apply.' }),
      checked_at: Timestamp.nullable().meta({ description: 'When it was judged.' }),
    })
    .meta({ id: 'CaseEligibility', description: 'Whether the clinic takes the case.' }),
  annotations: z.array(Annotation).meta({ description: 'That the caller may read, the oldest first.' }),
  messages: z.array(CaseMessage).meta({ description: 'The oldest first.' }),
  allowed_actions: z.array(z.string()).meta({
    description: `What the caller may do now, of ${offeredToStaff.map((name) => `\`${name}\``).join(', ')}; \`annotate\` while the case is in hand.`,
  }),
  timeline: z
    .array(
      z
        .object({
          at: Timestamp.meta({ description: 'When.' }),
          action: z.string().meta({ description: 'What, as the event log names it.' }),
          actor: z
            .object({
              kind: z
                .enum(['patient', 'staff', 'system'])
                .meta({ id: 'TimelineActorKind', description: 'Who.' }),
              display_name: z.string().nullable().meta({ description: 'Of a physician.' }),
            })
            .meta({ id: 'TimelineActor', description: 'Who has done it.' }),
        })
        .meta({ id: 'TimelineEntry', description: 'Something that happened to a case.' }),
    )
    .meta({ description: 'The last fifty changes, the oldest first.' }),
  history_count: z.int().meta({ description: 'Other cases of the same patient.' }),
  publish_at: Timestamp.nullable().meta({
    description:
      'When its patient can read the signed answer, which can be withdrawn until then; otherwise null.',
  }),
}).meta({ id: 'CaseDetail', description: 'A case as staff who may see it work on it.' });
/** As the app has it, with times as dates. */
export type CaseDetail = z.input<typeof CaseDetail>;
