// npm start seeds demo data with this: a default tenant and one user for each role. Running it again changes nothing.
import { v7 as uuidv7 } from 'uuid';
import { createAccount } from '../domain/membership/users/create-account.ts';
import type { Role } from '../contract/role.ts';
import { hashPassword } from '../lib/auth/password-hash.ts';
import type { Db } from '../lib/db/connect.ts';
import { connectOwner } from '../lib/db/connect-owner.ts';
import { inTenant } from '../lib/db/tenant.ts';

export interface DemoUser {
  email: string;
  password: string;
  role: Role;
}

export const demoUsers: readonly DemoUser[] = [
  { email: 'patient@dermagate.example', password: 'demo-patient-pass', role: 'patient' },
  { email: 'physician@dermagate.example', password: 'demo-physician-pass', role: 'physician' },
  { email: 'admin@dermagate.example', password: 'demo-admin-pass', role: 'admin' },
];

/**
 * @param databaseUrl of the role that owns the tables: the app itself may not create tenants.
 * @param settings as the app has them: with another pepper the demo passwords would not fit.
 * @returns the demo users; those that existed keep the passwords they have.
 */
export async function seedDemo(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<readonly DemoUser[]> {
  const pepper = settings['PASSWORD_PEPPER'];
  if (pepper === undefined) throw new Error('PASSWORD_PEPPER is not set.');
  const secrets = { pepper, bcryptCost: Number(settings['BCRYPT_COST'] ?? 12) };
  const db = connectOwner(databaseUrl);
  try {
    await db
      .insertInto('tenants')
      .values({ uuid: uuidv7(), name: 'Default', slug: 'default' })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .execute();
    const { id: tenantId } = await db
      .selectFrom('tenants')
      .select('id')
      .where('slug', '=', 'default')
      .executeTakeFirstOrThrow();
    for (const user of demoUsers) await seedUser(db, tenantId, user, secrets);
    return demoUsers;
  } finally {
    await db.destroy();
  }
}

async function seedUser(
  db: Db,
  tenantId: number,
  { email, password, role }: DemoUser,
  { pepper, bcryptCost }: { pepper: string; bcryptCost: number },
): Promise<void> {
  await inTenant(db, tenantId, async (tx) => {
    const known = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
    if (known !== undefined) return;
    const passwordHash = await hashPassword(password, pepper, bcryptCost);
    await createAccount(tx, { tenantId, email, passwordHash, role, language: 'en' });
  });
}
