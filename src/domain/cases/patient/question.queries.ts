import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';

/** Whether words, a photo or changed answers have come since the last question of a physician; undefined without one. */
export async function isQuestionAnswered(tx: Tx, uuid: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ replied: boolean }>`
    SELECT EXISTS (
        SELECT FROM case_messages m
        WHERE m.case_uuid = ${uuid} AND m.direction = 'from_patient' AND m.created_at >= question.at)
      OR EXISTS (
        SELECT FROM case_images i
        WHERE i.case_uuid = ${uuid} AND i.removed_at IS NULL AND i.added_at >= question.at)
      OR EXISTS (
        SELECT FROM request_anamneses now
        JOIN request_anamneses before ON before.case_uuid = now.case_uuid AND before.revision = now.revision - 1
        WHERE now.case_uuid = ${uuid} AND now.created_at >= question.at AND now.correction_reason IS NULL
          AND now.anamnesis <> before.anamnesis) AS replied
    FROM (
      SELECT max(created_at) AS at FROM case_messages
      WHERE case_uuid = ${uuid} AND direction = 'to_patient' AND text IS NOT NULL) question
    WHERE question.at IS NOT NULL`.execute(tx);
  return rows[0]?.replied;
}
