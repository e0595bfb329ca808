import { z } from 'zod';
import { RecordVersion } from '../../../contract/record-version.ts';
import { MessageText } from '../../cases/patient/case-input.schemas.ts';
import { ReleaseReason } from '../../cases/record/release-reason.ts';
import { ReopenReason } from '../../cases/queue/reopen-case.ts';
import { PendingStatus } from '../../cases/record/case-status.ts';

export const CaseVersion = RecordVersion.meta({
  description: 'Of the case as the client has read it; the header `If-Match` does the same.',
});

export const RemindAt = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .meta({
    description:
      'When a case that does not wait for its patient is queued again by itself; within 90 days. Without it after 72 hours, ' +
      'an urgent case after 24. Patients are reminded as the parameter `notify/rules` has it.',
  });

export const CancelReason = z
  .enum(['patient_request', 'duplicate', 'wrong_patient', 'test', 'other'])
  .meta({ id: 'CancelReason', description: 'Why staff cancel a case.' });

/** The action that a schema is for. */
const doing = <const Name extends string>(action: Name) =>
  z.literal(action).meta({ description: 'What to do.' });

const version = CaseVersion.optional();

const PlainAction = z
  .strictObject({
    action: z.enum(['claim', 'renew_lease', 'resume', 'undo']).meta({
      id: 'PlainCaseActionName',
      description: 'Actions that need nothing else.',
    }),
    version,
  })
  .meta({
    id: 'PlainCaseAction',
    description: 'Claim a case, renew its lease, resume it, or undo its signature.',
  });

const ReleaseAction = z
  .strictObject({ action: doing('release'), reason: ReleaseReason, version })
  .meta({ id: 'ReleaseAction', description: 'Put a case back into the queue.' });

const HoldAction = z
  .strictObject({
    action: doing('hold'),
    pending_status: PendingStatus,
    message: MessageText.optional().meta({
      description: 'To the patient, with `awaiting_patient` only: what is needed. At most 2000 characters.',
    }),
    remind_at: RemindAt.optional(),
    version,
  })
  .meta({ id: 'HoldAction', description: 'Put a case on hold.' });
export type HoldAction = z.output<typeof HoldAction>;

const AssignAction = z
  .strictObject({
    action: doing('assign'),
    physician_uuid: z.uuid().meta({ description: 'The physician to reserve the case for.' }),
    version,
  })
  .meta({ id: 'AssignAction', description: 'Reserve a case for a physician.' });

const CancelAction = z
  .strictObject({ action: doing('cancel'), reason: CancelReason, version })
  .meta({ id: 'CancelAction', description: 'Cancel a case.' });

const ReopenAction = z
  .strictObject({ action: doing('reopen'), reason: ReopenReason, version })
  .meta({ id: 'ReopenAction', description: 'Open a case again that had ended.' });

/** The actions of `POST {uuid}/status`, in the order of the documents. */
export const staffActionNames = [
  'claim',
  'renew_lease',
  'release',
  'hold',
  'resume',
  'assign',
  'cancel',
  'reopen',
  'undo',
] as const;

export const StaffAction = z
  .discriminatedUnion('action', [
    PlainAction,
    ReleaseAction,
    HoldAction,
    AssignAction,
    CancelAction,
    ReopenAction,
  ])
  .meta({ id: 'StaffCaseAction', description: 'What staff do with a case.' });
export type StaffAction = z.output<typeof StaffAction>;
export type StaffActionOf<Name extends StaffAction['action']> = Extract<StaffAction, { action: Name }>;
