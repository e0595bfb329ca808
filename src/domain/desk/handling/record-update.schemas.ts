import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { JsonObject } from '../../../lib/json/json-object.ts';
import { PrivatePool } from '../../identity/groups/private-pool.ts';
import { TriageLevel } from '../../intake/triage/triage.schemas.ts';
import { generalPool } from '../../cases/record/lane.ts';
import { CaseVersion } from './staff-action.schemas.ts';

/** A reason in a person's words: one line. */
const Reason = z
  .string()
  .max(2000)
  .transform((text) => text.trim().normalize('NFC'))
  .pipe(
    z
      .string()
      .min(1)
      .regex(/^\P{Cc}*$/u, { error: 'Must not contain control characters.' })
      .refine((text) => Array.from(text).length <= 500, { error: 'Must have at most 500 characters.' }),
  );

const fields = {
  language: Language.optional().meta({ description: 'Of the case; a case that waits changes its lane.' }),
  pool: z
    .union([z.literal(generalPool), PrivatePool])
    .optional()
    .meta({ description: 'Whose case it is; a case that waits changes its lane.' }),
  triage_level: TriageLevel.optional().meta({ description: 'How soon it is to be answered.' }),
  triage_reason: Reason.optional().meta({
    description: 'Why; required for a lower level. At most 500 characters.',
  }),
  patient_uuid: z.uuid().optional().meta({
    description:
      'Whom it is about: another profile of the account; of a case without account, another such patient.',
  }),
  is_test: z.boolean().optional().meta({ description: 'Whether it is a test and about no patient.' }),
  correction_reason: Reason.optional().meta({
    description: 'Why the answers or the patient change; required for either. At most 500 characters.',
  }),
  version: CaseVersion.optional(),
};

const Patch = JsonObject.optional();

const changing = [
  'language',
  'pool',
  'triage_level',
  'patient_uuid',
  'is_test',
  'anamnesis_patch',
] as const satisfies readonly (keyof typeof fields | 'anamnesis_patch')[];

export const RecordUpdate = z
  .strictObject({ ...fields, anamnesis_patch: Patch })
  .refine((update) => changing.some((name) => update[name] !== undefined), {
    error: `Must name something to change: ${changing.join(', ')}.`,
  })
  .refine(
    ({ correction_reason: reason, anamnesis_patch: patch, patient_uuid: patient }) =>
      reason !== undefined || (patch === undefined && patient === undefined),
    {
      path: ['correction_reason'],
      error: 'Is required where the answers or the patient change.',
      params: { code: 'required' },
    },
  );
export type RecordUpdate = z.output<typeof RecordUpdate>;

export const RecordUpdateDocs = z
  .strictObject({
    ...fields,
    anamnesis_patch: z.record(z.string(), z.unknown()).optional().meta({
      description: 'A JSON merge patch (RFC 7396) of the anamnesis: members replace, null removes.',
    }),
  })
  .meta({ id: 'RecordUpdate', description: 'What staff correct in a case; what is absent stays as it is.' });
