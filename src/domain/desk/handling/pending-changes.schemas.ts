import { z } from 'zod';
import { bulkResult } from '../../cases/record/bulk-result.schemas.ts';
import { MessageText } from '../../cases/patient/case-input.schemas.ts';
import { PendingStatus } from '../../cases/record/case-status.ts';
import { CaseVersion, RemindAt } from './staff-action.schemas.ts';

const PendingChange = z
  .strictObject({
    case_uuid: z.uuid().meta({ description: 'A case on hold.' }),
    version: CaseVersion,
    pending_status: PendingStatus.nullable().meta({ description: 'What it waits for; null ends the hold.' }),
    message: MessageText.optional().meta({
      description: 'To the patient, with `awaiting_patient` only: what is needed. At most 2000 characters.',
    }),
    remind_at: RemindAt.optional(),
  })
  .meta({ id: 'PendingChange', description: 'What a case on hold waits for from now on.' });
export type PendingChange = z.output<typeof PendingChange>;

export const PendingChanges = z
  .strictObject({
    changes: z
      .array(PendingChange)
      .min(1)
      .max(100)
      .meta({ description: 'At most 100; each succeeds or fails alone.' }),
  })
  .meta({ id: 'PendingChanges', description: 'Changes of cases on hold.' });

export const pendingChangeCodes = [
  'case_not_found',
  'case_state_conflict',
  'version_conflict',
  'message_required',
] as const;
export type PendingChangeCode = (typeof pendingChangeCodes)[number];

export const PendingChangesResult = bulkResult(pendingChangeCodes, {
  id: 'PendingChangesResult',
  description: 'What became of each change.',
});
