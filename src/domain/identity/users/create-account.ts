import type { Tx } from '../../../lib/db/connect.ts';
import { insertPhysician } from '../physicians/physician.queries.ts';
import { insertUser } from './user.queries.ts';
import type { Role } from '../../../contract/role.ts';

export interface NewAccount {
  tenantId: number;
  email: string;
  passwordHash: string;
  role: Role;
  /** When the address was proved, because an invitation reached it; undefined where it is still to be verified. */
  verifiedAt?: Date | undefined;
  /** Initial language preference of a physician's profile. */
  language: string;
}

/**
 * Creates the account and, for a physician, the profile that belongs to it.
 * @throws {Problem} `email_taken`
 */
export async function createAccount(tx: Tx, account: NewAccount) {
  const user = await insertUser(tx, account);
  if (user.role === 'physician') {
    await insertPhysician(tx, {
      tenantId: user.tenant_id,
      userId: user.id,
      language: account.language,
    });
  }
  return user;
}
