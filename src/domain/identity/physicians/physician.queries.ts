import { sql, type Updateable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import { staffRoles } from '../../../contract/role.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { isUniqueViolation } from '../../../lib/db/errors.ts';
import type { Physicians } from '../../../lib/db/tables.ts';
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
const physiciansWithAccounts = (tx: Tx) =>
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

export async function findPhysicians(tx: Tx, uuids: readonly string[]): Promise<PhysicianRow[]> {
  return await physiciansWithAccounts(tx).where('p.uuid', 'in', uuids).execute();
}

/** The next physicians in the order in which they joined. @param id of the last one before. */
export async function findPhysiciansAfter(tx: Tx, id: number, limit: number): Promise<PhysicianRow[]> {
  return await physiciansWithAccounts(tx).where('p.id', '>', id).orderBy('p.id').limit(limit).execute();
}

export async function findPhysician(tx: Tx, uuid: string): Promise<PhysicianRow | undefined> {
  const [row] = await physiciansWithAccounts(tx).where('p.uuid', '=', uuid).execute();
  return row;
}

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

/** Locks a profile of the tenant, also that of an account that has become a patient's. */
export async function lockProfile(tx: Tx, which: { uuid: string } | { userId: number }) {
  return await tx
    .selectFrom('physicians')
    .select(['id', 'uuid', 'user_id', 'version', 'settings', 'admin_settings'])
    .where((eb) => ('uuid' in which ? eb('uuid', '=', which.uuid) : eb('user_id', '=', which.userId)))
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Locks the profile of an account, so that it takes no case until the transaction ends. Not FOR UPDATE: cases and skips refer to
 * the row by foreign keys, and a request that writes one has a case locked.
 */
export async function lockPhysician(tx: Tx, userId: number): Promise<{ id: number } | undefined> {
  return await tx
    .selectFrom('physicians')
    .select('id')
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export type ProfileChange = Pick<
  Updateable<Physicians>,
  'settings' | 'admin_settings' | 'language_preference' | 'private_pool'
>;

/** @param version that the profile gets. */
export async function updateProfile(
  tx: Tx,
  { id, version }: { id: number; version: number },
  change: ProfileChange,
): Promise<void> {
  await tx
    .updateTable('physicians')
    .set({ ...change, version })
    .where('id', '=', id)
    .execute();
}

/** Sets the language that the physician of an account reads, where there is one and it reads another. */
export async function setLanguagePreference(tx: Tx, userId: number, language: Language): Promise<void> {
  await tx
    .updateTable('physicians')
    .set({ language_preference: language, version: sql`version + 1` })
    .where('user_id', '=', userId)
    .where('language_preference', '!=', language)
    .execute();
}
