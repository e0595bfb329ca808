import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../lib/db/connect.ts';

export async function insertPhysician(
  tx: Tx,
  physician: { tenantId: number; userId: number; language: string },
): Promise<void> {
  await tx
    .insertInto('physicians')
    .values({
      uuid: uuidv7(),
      tenant_id: physician.tenantId,
      user_id: physician.userId,
      language_preference: physician.language,
    })
    .execute();
}

/** `settings` and `admin_settings` are not part of what `GET /api/auth/me` shows. */
export async function findPhysicianOfUser(tx: Tx, userId: number) {
  return await tx
    .selectFrom('physicians')
    .select(['uuid', 'user_id', 'employee_id', 'language_preference', 'vacation_mode', 'created_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}
