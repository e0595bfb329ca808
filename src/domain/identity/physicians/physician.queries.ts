import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { Problem } from '../../../contract/problem.ts';
import { staffRoles } from '../../../contract/role.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { isUniqueViolation } from '../../../lib/db/errors.ts';
import type { PhysicianAdminSettings, PhysicianSettings } from './physician-settings.schemas.ts';

export interface NewProfile {
  tenantId: number;
  userId: number;
  language: string;
  employeeId?: number | undefined;
  privatePool?: string | undefined;
  settings?: PhysicianSettings;
  adminSettings?: PhysicianAdminSettings;
}

/** @throws {Problem} `employee_id_taken` */
export async function requireFreeEmployeeId(
  tx: Tx,
  tenantId: number,
  employeeId: number | undefined,
): Promise<void> {
  if (employeeId === undefined) return;
  const taken = await tx
    .selectFrom('physicians')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('employee_id', '=', employeeId)
    .executeTakeFirst();
  if (taken !== undefined) throw new Problem('employee_id_taken');
}

/** @throws {Problem} `employee_id_taken` */
export async function insertPhysician(tx: Tx, profile: NewProfile): Promise<{ uuid: string }> {
  const uuid = uuidv7();
  try {
    await tx
      .insertInto('physicians')
      .values({
        uuid,
        tenant_id: profile.tenantId,
        user_id: profile.userId,
        language_preference: profile.language,
        employee_id: profile.employeeId ?? null,
        private_pool: profile.privatePool ?? null,
        settings: JSON.stringify(profile.settings ?? {}),
        admin_settings: JSON.stringify(profile.adminSettings ?? {}),
      })
      .execute();
  } catch (error) {
    if (isUniqueViolation(error, 'physicians_tenant_id_employee_id_key')) {
      throw new Problem('employee_id_taken', { cause: error });
    }
    throw error;
  }
  return { uuid };
}

/** Physicians with their accounts; not those whose account has become a patient's. */
export const physiciansWithAccounts = (tx: Tx) =>
  tx
    .selectFrom('physicians as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    // As literals, by which even a plan without the values sees that few accounts of a clinic are staff.
    .where('u.role', 'in', staffRoles.map(sql.lit))
    .select([
      'p.id',
      'p.uuid',
      'p.user_id',
      'p.employee_id',
      'p.language_preference',
      'p.private_pool',
      'p.vacation_mode',
      'p.vacation_until',
      'p.settings',
      'p.admin_settings',
      'p.last_active_at',
      'p.version',
      'u.uuid as user_uuid',
      'u.email',
      'u.is_active',
    ]);

export type PhysicianRow = Awaited<
  ReturnType<ReturnType<typeof physiciansWithAccounts>['executeTakeFirstOrThrow']>
>;

/** @param email in lower case. */
export async function findPhysicianByEmail(tx: Tx, email: string): Promise<PhysicianRow | undefined> {
  return await physiciansWithAccounts(tx).where('u.email', '=', email).executeTakeFirst();
}

/** The profile of an account that becomes a physician, which may have one from before. */
export async function ensurePhysician(
  tx: Tx,
  { tenantId, userId, language }: { tenantId: number; userId: number; language: string },
): Promise<void> {
  await tx
    .insertInto('physicians')
    .values({ uuid: uuidv7(), tenant_id: tenantId, user_id: userId, language_preference: language })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}
