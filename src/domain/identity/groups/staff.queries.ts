import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';

/** The profile of an account as a physician. */
export interface StaffRow {
  /** Null for an account without a profile. */
  id: number | null;
  uuid: string;
  private_pool: string | null;
  vacation_mode: boolean;
  language_preference: string;
  settings: unknown;
  admin_settings: unknown;
  /** The settings of the groups of the account. */
  groups: unknown[];
}

/** One statement for the profile of an account and its groups. */
export async function findStaff(
  tx: Tx,
  { tenantId, id }: { tenantId: number; id: number },
): Promise<StaffRow | undefined> {
  const { rows } = await sql<StaffRow>`
    SELECT p.id, p.uuid, p.private_pool, p.vacation_mode, p.language_preference, p.settings, p.admin_settings,
      (
        SELECT coalesce(jsonb_agg(g.settings ORDER BY g.id), '[]')
        FROM user_group_members m JOIN user_groups g ON g.tenant_id = m.tenant_id AND g.id = m.group_id
        WHERE m.tenant_id = ${tenantId} AND m.user_id = ${id}) AS groups
    FROM (SELECT ${id}::integer AS user_id) AS me LEFT JOIN physicians p ON p.user_id = me.user_id`.execute(
    tx,
  );
  return rows[0];
}
