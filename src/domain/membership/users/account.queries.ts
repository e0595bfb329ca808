import { sql } from 'kysely';
import type { Role } from '../../../contract/role.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';

export interface AddressOwner {
  user_id: number;
  user_uuid: string;
  tenant_id: number;
  is_active: boolean;
  is_verified: boolean;
  tenant_is_active: boolean;
}

/** The account with this address, in any tenant. */
export async function findAddressOwner(db: Db, email: string): Promise<AddressOwner | undefined> {
  const { rows } = await sql<AddressOwner>`SELECT * FROM find_address_owner(${email})`.execute(db);
  return rows[0];
}

/** Switches an account off and replaces its address. */
export async function retireAccount(tx: Tx, userId: number, uuid: string): Promise<void> {
  await tx
    .updateTable('users')
    // Not a name that a mail server or our own check of addresses accepts.
    .set({ email: `released-${uuid}@invalid`, is_active: false, version: sql<number>`version + 1` })
    .where('id', '=', userId)
    .execute();
}

/** Locks an account as `lockAccount` does. @returns its address. */
export async function lockAndFindEmail(tx: Tx, userId: number): Promise<string> {
  const { email } = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return email;
}

/** @returns false when the account was in that state already. */
export async function switchAccount(tx: Tx, userId: number, active: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ is_active: active, version: sql<number>`version + 1` })
    .where('id', '=', userId)
    .where('is_active', '!=', active)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function setRole(tx: Tx, userId: number, role: Role): Promise<void> {
  await tx
    .updateTable('users')
    .set({ role, version: sql<number>`version + 1` })
    .where('id', '=', userId)
    .execute();
}
