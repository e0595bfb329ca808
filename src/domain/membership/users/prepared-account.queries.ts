import type { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Role } from '../../../contract/role.ts';
import { insertUser } from '../../identity/users/user.queries.ts';

/** Stands where the hash of a password would: no password fits, and no reset is sent to an inactive account. */
const noPassword = '!';

/**
 * Creates an account that its owner has yet to activate, by an invitation to its address.
 * @throws {Problem} `email_taken`
 */
export async function prepareAccount(
  tx: Tx,
  account: { tenantId: number; email: string; role: Role; language: Language },
) {
  const user = await insertUser(tx, { ...account, passwordHash: noPassword });
  await tx.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute();
  return user;
}

/**
 * Gives a prepared account of the tenant to the person whom the invitation of the same role reached; its profile stays as it
 * was prepared. @returns undefined where none is prepared.
 */
export async function activatePrepared(
  tx: Tx,
  account: {
    email: string;
    role: Role;
    passwordHash: string;
    verifiedAt?: Date | undefined;
    language: Language;
  },
): Promise<{ id: number; uuid: string } | undefined> {
  return await tx
    .updateTable('users')
    .set({
      password_hash: account.passwordHash,
      is_active: true,
      language: account.language,
      is_verified: account.verifiedAt !== undefined,
      email_verified_at: account.verifiedAt ?? null,
    })
    .where('email', '=', account.email)
    .where('role', '=', account.role)
    .where('password_hash', '=', noPassword)
    .returning(['id', 'uuid'])
    .executeTakeFirst();
}
