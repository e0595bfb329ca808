import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { isUniqueViolation } from '../../../lib/db/errors.ts';
import type { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Role } from '../../../contract/role.ts';

export interface LoginAccount {
  user_uuid: string;
  user_id: number;
  tenant_id: number;
  password_hash: string;
  role: Role;
  is_active: boolean;
  tenant_is_active: boolean;
}

/** Before the tenant is known, by a function that returns one row and needs no tenant. */
export async function findLoginAccount(db: Db, email: string): Promise<LoginAccount | undefined> {
  const { rows } = await sql<LoginAccount>`SELECT * FROM find_login(${email})`.execute(db);
  return rows[0];
}

/** @throws {Problem} `email_taken`: an address is one account across all tenants. */
export async function insertUser(
  tx: Tx,
  user: {
    tenantId: number;
    email: string;
    passwordHash: string;
    role: Role;
    verifiedAt?: Date | undefined;
    language: Language;
  },
) {
  try {
    return await tx
      .insertInto('users')
      .values({
        uuid: uuidv7(),
        tenant_id: user.tenantId,
        email: user.email,
        password_hash: user.passwordHash,
        role: user.role,
        is_verified: user.verifiedAt !== undefined,
        email_verified_at: user.verifiedAt ?? null,
        language: user.language,
      })
      .returning(['uuid', 'id', 'tenant_id', 'role'])
      .executeTakeFirstOrThrow();
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw new Problem('email_taken', { cause: error });
    throw error;
  }
}

/**
 * Notes a login, and renews the hash where asked to.
 *
 * @param verifiedHash that the password was compared with.
 * @returns false, with nothing written, when the hash has been replaced since, so that the comparison says nothing any
 *   more, or when the account has been switched off or retired.
 */
export async function recordLogin(
  tx: Tx,
  { userId, verifiedHash, at }: { userId: number; verifiedHash: string; at: Date },
  renewedHash: string | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ last_login: at, ...(renewedHash !== undefined && { password_hash: renewedHash }) })
    .where('id', '=', userId)
    .where('password_hash', '=', verifiedHash)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Of the mails to an account. */
export async function setAccountLanguage(tx: Tx, userId: number, language: Language): Promise<void> {
  await tx.updateTable('users').set({ language }).where('id', '=', userId).execute();
}

/** @returns undefined where the tenant has no account with this address, null where the account has no language. */
export async function findAccountLanguage(tx: Tx, email: string): Promise<string | null | undefined> {
  const account = await tx
    .selectFrom('users')
    .select('language')
    .where('email', '=', email)
    .executeTakeFirst();
  return account?.language;
}

/** What a change of password is judged by. */
export async function findCredentials(tx: Tx, userId: number) {
  return await tx
    .selectFrom('users')
    .select(['email', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** Replaces the hash; links for a reset that are still under way no longer work. */
export async function setPassword(tx: Tx, userId: number, passwordHash: string, now: Date): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
  await tx
    .updateTable('password_reset_tokens')
    .set({ used: true, used_at: now })
    .where('user_id', '=', userId)
    .where('used', '=', false)
    .execute();
}

/** Uses up the links to an account that have not been used: for a new password, and to verify its address. */
export async function useUpLinks(tx: Tx, userId: number, now: Date): Promise<void> {
  for (const table of ['password_reset_tokens', 'email_verification_tokens'] as const) {
    await tx
      .updateTable(table)
      .set({ used: true, used_at: now })
      .where('user_id', '=', userId)
      .where('used', '=', false)
      .execute();
  }
}

/**
 * Locks an account whose password is still the one that was verified.
 * @returns false when another request has replaced it.
 */
export async function lockVerified(tx: Tx, userId: number, verifiedHash: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', verifiedHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Makes transactions that lock the same account wait for each other until they end. Take it before any other lock on rows of
 * the account, such as its tokens: in one order everywhere, no two transactions wait for each other.
 * @returns whether there is such an account.
 */
export async function lockAccount(tx: Tx, userId: number): Promise<boolean> {
  const account = tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate();
  return (await account.executeTakeFirst()) !== undefined;
}

/**
 * Locks the account of an admin who lets others in, so that it loses its rights only after the transaction, and with them the
 * invitations that it has sent. Take it before any other lock.
 * @throws {Problem} `refusal` when the account has lost them since the request was admitted.
 */
export async function requireAdminStill(
  tx: Tx,
  userId: number,
  refusal: 'forbidden' | 'role_not_allowed' = 'forbidden',
): Promise<void> {
  const admin = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .forShare()
    .executeTakeFirst();
  if (admin === undefined) throw new Problem(refusal);
}

export interface LockedAccount {
  id: number;
  role: Role;
  is_active: boolean;
  is_verified: boolean;
  /** Active ones of its tenant, for an active admin only. */
  otherAdmins: number;
}

/**
 * As {@link lockAccount}, the account of the tenant with this address, if there is one. An active admin's is locked together with
 * every other active admin of the tenant, in the order of `lockWithAdmins`.
 */
export async function lockAccountOf(tx: Tx, email: string): Promise<LockedAccount | undefined> {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'email', 'is_active', 'is_verified'])
    .select((eb) => eb.ref('role').$castTo<Role>().as('role'))
    .where((eb) => {
      const isActiveAdmin = [eb('role', '=', 'admin'), eb('is_active', '=', true)];
      const owner = eb
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .where(eb.and(isActiveAdmin));
      return eb.or([eb('email', '=', email), eb.and([...isActiveAdmin, eb.exists(owner)])]);
    })
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const found = rows.find((row) => row.email === email);
  if (found === undefined) return undefined;
  const { email: _email, ...account } = found;
  return { ...account, otherAdmins: rows.length - 1 };
}
