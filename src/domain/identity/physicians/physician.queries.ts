import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../../lib/db/connect.ts';

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
