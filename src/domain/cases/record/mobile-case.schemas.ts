import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { Prediction } from '../../intake/diagnoses/diagnosis.schemas.ts';
import { helpLineFields } from '../../intake/ai-calls/reply-fields.ts';
import { FlagDetail, RedFlagUrgency } from '../../intake/red-flags/red-flags.schemas.ts';
import { RecommendedAction } from '../../intake/triage/triage.schemas.ts';
import { Person } from '../../identity/patients/person.ts';
import { CaseImage } from './case-image.schemas.ts';
import { AnalysisState, PatientStatus } from './case-status.ts';
import { listActions } from './describe-actions.ts';

export const CaseMessage = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the message.' }),
    direction: z
      .enum(['to_patient', 'from_patient'])
      .meta({ id: 'MessageDirection', description: 'The author: patient or clinic.' }),
    codes: z.array(z.string()).meta({ description: 'Codes of the request, such as `retake_photos:blurry`.' }),
    text: z.string().nullable().meta({ description: 'The text as written; null if there are only codes.' }),
    created_at: Timestamp.meta({ description: 'When it was written.' }),
    read_at: Timestamp.nullable().meta({ description: 'When the recipient first read it; null if unread.' }),
  })
  .meta({ id: 'CaseMessage', description: 'A message between the patient and the clinic.' });
export type CaseMessage = z.input<typeof CaseMessage>;

export const Advice = z
  .object({
    urgency: RedFlagUrgency,
    flagDetails: z.array(FlagDetail).meta({ description: 'The most urgent first.' }),
    recommendedAction: RecommendedAction.nullable().meta({ description: 'What to do now.' }),
    ...helpLineFields,
  })
  .meta({ id: 'CaseAdvice', description: 'Advice that the patient must read immediately.' });
export type Advice = z.infer<typeof Advice>;

export const MobileCase = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the case.' }),
    id: z.int().meta({ description: 'A short number, for use on the phone.' }),
    version: z.int().meta({ description: 'Incremented by each change; also the `ETag`.' }),
    patient_status: PatientStatus,
    refused_for: z
      .array(z.string())
      .optional()
      .meta({
        description:
          'Why the clinic takes no such case, while `patient_status` is `not_eligible`: `age_excluded`, `site_excluded:` and ' +
          'the site, `not_a_member`, `quota_exceeded`, `duplicate_case:` and the uuid of the earlier case, which counts.',
      }),
    allowed_actions: z.array(z.string()).meta({
      description: `Actions currently available to the patient, of ${listActions('account')}.`,
    }),
    patient: Person,
    language: Language,
    anamnesis: PartialAnamnesis,
    images: z.array(CaseImage).meta({ description: 'In their order.' }),
    advice: Advice.nullable().meta({
      description: 'Null for a draft, and where no rule applies. Never an all-clear.',
    }),
    messages: z.array(CaseMessage).meta({ description: 'The oldest first.' }),
    analysis_state: AnalysisState,
    predictions: z
      .array(Prediction)
      .nullable()
      .meta({ description: 'Null if the clinic does not show them to patients.' }),
    answer_available: z.boolean().meta({ description: 'Whether an answer is published.' }),
    answer_action: RecommendedAction.nullable().meta({
      description:
        'What the published answer that counts says to do; null before. It replaces `advice`, which is what was said before, ' +
        'unless `advice_is_newer`.',
    }),
    advice_is_newer: z.boolean().meta({
      description:
        'Whether danger was found after the published answer was signed: `advice` counts first, and the answer is what was ' +
        'said before. False without an answer.',
    }),
    answer_read_at: Timestamp.nullable().meta({
      description: 'When `acknowledge` marked the answer as read; null before, and again for a new answer.',
    }),
    batch_uuid: z.uuid().nullable().meta({ description: 'The batch that it belongs to, if any.' }),
    created_at: Timestamp.meta({ description: 'When the draft was made.' }),
    submitted_at: Timestamp.nullable().meta({ description: 'Null for a draft.' }),
    updated_at: Timestamp.meta({ description: 'When it last changed.' }),
  })
  .meta({ id: 'MobileCase', description: 'A case as its patient sees it.' });
/** As the app has it, with times as dates. */
export type MobileCase = z.input<typeof MobileCase>;

/** How much of a case a list has. */
export const CaseView = z.enum(['full', 'summary']);
export type CaseView = z.infer<typeof CaseView>;

export const ListedCase = MobileCase.partial({ anamnesis: true, images: true, predictions: true }).meta({
  id: 'ListedCase',
  description:
    'A case in a list: as `MobileCase`; with `view=summary` without `anamnesis`, `images` and `predictions`.',
});
export type ListedCase = z.input<typeof ListedCase>;
