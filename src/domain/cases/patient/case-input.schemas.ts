import { z } from 'zod';
import { RecordVersion } from '../../../contract/record-version.ts';
import { Language } from '../../../contract/language.ts';
import { JsonObject } from '../../../lib/json/json-object.ts';
import { plainText } from '../../../lib/schema/plain-text.ts';
import { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { MAX_IMAGES } from '../../intake/anamnesis/form/images.ts';
import { ImageKind } from '../../intake/anamnesis/vocabulary/images.ts';
import { LocationIndex } from '../record/case-image.schemas.ts';

/** JSON bodies that carry an anamnesis. */
export const caseBodyLimit = 96 * 1024;

const CaseImageInput = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'Of a stored photo of the caller: its `name`, or its UUID.' }),
    kind: ImageKind.optional(),
    location_index: LocationIndex.optional(),
  })
  .meta({ id: 'CaseImageInput', description: 'A stored photo that belongs to a case.' });
export type CaseImageInput = z.infer<typeof CaseImageInput>;

const ClientId = z
  .string()
  .regex(/^[\u0021-\u007e]{1,64}$/)
  .meta({ description: '1 to 64 visible ASCII characters.' });

const CaseBatchInput = z
  .union([
    z.strictObject({ uuid: z.uuid().meta({ description: 'A batch of the caller.' }) }),
    z.strictObject({
      client_batch_id: ClientId,
      expected_size: z.int().min(1).max(10).meta({ description: 'How many cases it will have.' }),
    }),
  ])
  .meta({ id: 'CaseBatchInput', description: 'Cases to be reviewed together.' });
export type CaseBatchInput = z.infer<typeof CaseBatchInput>;

export const ConsentInput = z
  .strictObject({
    version: z.string().min(1).max(32).meta({ description: 'Version of the text that the user accepted.' }),
    accepted: z.literal(true).meta({ description: 'The user has accepted it.' }),
  })
  .meta({ id: 'Consent', description: 'The parameter `legal/consent` contains the current version.' });

/** What a person writes about a case. */
export const MessageText = plainText(2000, { min: 1, lines: true });

const Version = RecordVersion.meta({
  description: 'Of the case as the client has read it; the header `If-Match` does the same.',
});

const common = {
  patient_uuid: z.uuid().optional().meta({
    description:
      'One of the caller’s profiles, the own one by default; of physicians and admins, any patient with an account.',
  }),
  images: z
    .array(CaseImageInput)
    .max(MAX_IMAGES)
    .optional()
    .meta({ description: 'All photos of the case, in their order.' }),
  consent: ConsentInput.optional(),
};

const createFields = {
  client_case_id: ClientId.optional().meta({
    description:
      'Chosen by the client, unique for each case and without a time limit: a repeated request creates no second case.',
  }),
  language: Language.optional().meta({ description: 'Of the case; of the answers by default.' }),
  batch: CaseBatchInput.optional(),
  submit: z.boolean().default(false).meta({ description: 'Submit the case at once.' }),
  ...common,
};
export const CaseCreation = z.strictObject({ ...createFields, anamnesis: JsonObject });
export type CaseCreation = z.output<typeof CaseCreation>;
export const CaseCreationDocs = z.strictObject({ ...createFields, anamnesis: PartialAnamnesis }).meta({
  id: 'CaseCreation',
  description: 'The profile, the answers so far, and the images of a new case.',
});

const updateFields = {
  uuid: z.string().max(64).meta({ description: 'The case.', format: 'uuid' }),
  version: Version.optional(),
  message: MessageText.optional(),
  submit: z.boolean().default(false).meta({
    description: 'Submits the draft; for a case with `action_needed`, states that the request is complete.',
  }),
  ...common,
};
export const CaseUpdate = z.strictObject({ ...updateFields, anamnesis: JsonObject.optional() });
export type CaseUpdate = z.output<typeof CaseUpdate>;
export const CaseUpdateDocs = z
  .strictObject({ ...updateFields, anamnesis: PartialAnamnesis.optional() })
  .meta({ id: 'CaseUpdate', description: 'The changed members; the anamnesis as a whole, not as a patch.' });

const withVersion = { version: Version.optional() };

/** The action that a schema is for. */
const doing = <const Name extends string>(action: Name) =>
  z.literal(action).meta({ description: 'What to do.' });

// Each action takes what it uses, and no more: a message with any other would be stored, and no physician would read it.
const SendAction = z
  .strictObject({
    action: z.enum(['submit', 'reply']).meta({
      id: 'SendCaseActionName',
      description: 'Actions after which the clinic goes on with the case.',
    }),
    consent: ConsentInput.optional(),
    message: MessageText.optional().meta({
      description:
        'To the physicians; required to reply to an answer, and to a question if nothing else was added since. ' +
        'At most 2000 characters.',
    }),
    ...withVersion,
  })
  .meta({ id: 'SendCaseAction', description: 'Submit a case, or reply.' });

const WithdrawAction = z
  .strictObject({
    action: doing('cancel'),
    reason: z
      .string()
      .regex(/^[^\p{Cc}]{1,64}$/u)
      .optional()
      .meta({ description: 'Reason for the cancellation.' }),
    ...withVersion,
  })
  .meta({ id: 'WithdrawCaseAction', description: 'Withdraw a case.' });

const AcknowledgeAction = z
  .strictObject({ action: doing('acknowledge'), ...withVersion })
  .meta({ id: 'AcknowledgeAction', description: 'Mark the answer as read.' });

/** The actions of `POST {uuid}/status`, in the order of the documents. */
export const caseActionNames = ['submit', 'cancel', 'reply', 'acknowledge'] as const;

export const CaseAction = z
  .discriminatedUnion('action', [SendAction, WithdrawAction, AcknowledgeAction])
  .meta({ id: 'CaseAction', description: 'An action on a case.' });
export type CaseAction = z.output<typeof CaseAction>;
