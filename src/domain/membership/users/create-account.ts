import type { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { createSelfProfile } from '../../identity/patients/self-profile.queries.ts';
import { insertPhysician } from '../../identity/physicians/physician.queries.ts';
import { insertUser } from '../../identity/users/user.queries.ts';
import type { Role } from '../../../contract/role.ts';

export interface NewAccount {
  tenantId: number;
  email: string;
  passwordHash: string;
  role: Role;
  /** When the address was proved, because an invitation reached it; undefined where it is still to be verified. */
  verifiedAt?: Date | undefined;
  /** Of the account's mails, and the initial preference of a physician. */
  language: Language;
}

/**
 * Creates the account and the profile that belongs to it: a physician's, or the patient that its owner is.
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
  if (user.role === 'patient') await createSelfProfile(tx, { tenantId: user.tenant_id, userId: user.id });
  return user;
}
