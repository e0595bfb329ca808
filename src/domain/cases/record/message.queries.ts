import type { Insertable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseMessages } from '../../../lib/db/tables.ts';
import type { CaseMessage } from './mobile-case.schemas.ts';
import type { CaseRecord } from './case.queries.ts';

type Case = Pick<CaseRecord, 'uuid' | 'tenant_id'>;

/** What a patient writes. */
export async function insertPatientMessage(
  tx: Tx,
  record: Case,
  { text, language, authorId }: { text: string; language: Language; authorId: number },
  now: Date,
): Promise<void> {
  const message = { text, language, author_user_id: authorId, created_at: now };
  await insert(tx, record, { ...message, direction: 'from_patient' });
}

/** Asks the patient for something, by codes that the app puts into words. */
export async function insertRequestToPatient(
  tx: Tx,
  record: Case & Pick<CaseRecord, 'language'>,
  codes: readonly string[],
  now: Date,
): Promise<void> {
  const message = { codes: [...codes], language: record.language, created_at: now };
  await insert(tx, record, { ...message, direction: 'to_patient' });
}

/** What staff write to a patient: in the language of the case, and never translated. */
export async function insertStaffMessage(
  tx: Tx,
  record: Case & Pick<CaseRecord, 'language'>,
  { text, authorId }: { text: string; authorId: number },
  now: Date,
): Promise<void> {
  const message = { text, language: record.language, author_user_id: authorId, created_at: now };
  await insert(tx, record, { ...message, direction: 'to_patient' });
}

type NewMessage = Omit<Insertable<CaseMessages>, 'uuid' | 'case_uuid' | 'tenant_id'> &
  Pick<CaseMessage, 'direction'>;

async function insert(tx: Tx, { uuid, tenant_id }: Case, message: NewMessage): Promise<void> {
  await tx
    .insertInto('case_messages')
    .values({ ...message, uuid: uuidv7(), case_uuid: uuid, tenant_id })
    .execute();
}

/** The messages of cases, the oldest first. */
export async function listMessages(tx: Tx, caseUuids: readonly string[]) {
  const rows = await tx
    .selectFrom('case_messages')
    .select(['uuid', 'case_uuid', 'direction', 'codes', 'text', 'created_at', 'read_at'])
    .where('case_uuid', 'in', caseUuids)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
  return rows.map(({ case_uuid: caseUuid, ...message }) => ({
    caseUuid,
    message,
  }));
}

/** What was written to the patient counts as read once the patient has got it; not what has come since. */
export async function markMessagesRead(tx: Tx, uuids: readonly string[], now: Date): Promise<void> {
  await tx
    .updateTable('case_messages')
    .set({ read_at: now })
    .where('uuid', 'in', uuids)
    .where('read_at', 'is', null)
    .execute();
}
