import { sql } from 'kysely';
import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/context.ts';
import type { Me } from './account.schemas.ts';

interface Profile {
  physician_uuid: string;
  employee_id: number | null;
  language_preference: string;
  vacation_mode: boolean;
  physician_created_at: Date;
}

interface TenantOfUser {
  tenant_uuid: string;
  tenant_name: string;
  tenant_slug: string;
  tenant_is_active: boolean;
  tenant_created_at: Date;
}

type AccountRow = Me['user'] & TenantOfUser & (Profile | { [Column in keyof Profile]: null });

/**
 * The account as its owner may see it, with the tenant and, for a physician, the profile. By a function that asks for
 * the three at once and names the tenant for as long as it runs; row-level security applies as in `inTenant`.
 */
export async function readAccount(
  { db }: Pick<Context, 'db'>,
  { tenantId, id: userId }: Pick<AccountActor, 'tenantId' | 'id'>,
): Promise<Me> {
  const { rows } = await sql<AccountRow>`SELECT * FROM read_account(${tenantId}, ${userId})`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('no such user in this tenant');
  const { uuid, email, role, is_active, is_verified, tenant_id, created_at, last_login } = row;
  return {
    user: { uuid, email, role, is_active, is_verified, tenant_id, created_at, last_login },
    physician:
      row.physician_uuid === null
        ? null
        : {
            uuid: row.physician_uuid,
            user_id: userId,
            employee_id: row.employee_id,
            language_preference: row.language_preference,
            vacation_mode: row.vacation_mode,
            created_at: row.physician_created_at,
          },
    tenant: {
      uuid: row.tenant_uuid,
      name: row.tenant_name,
      slug: row.tenant_slug,
      is_active: row.tenant_is_active,
      created_at: row.tenant_created_at,
    },
  };
}
