// npm run create-admin -- --email admin@example.org [--tenant default] [--tenant-name "My clinic"]: the first admin.
// DATABASE_URL and PASSWORD_PEPPER are the app's; --tenant-name creates the tenant where it is missing, for which
// DATABASE_URL must name the owner of the tables. The password comes from ADMIN_PASSWORD or is made up and printed.
import { randomBytes } from 'node:crypto';
import { contextWords } from '../domain/identity/users/context-words.ts';
import { createAdmin, type NewAdmin } from '../domain/membership/users/create-admin.ts';
import { Email, NewPassword } from '../domain/identity/users/user.schemas.ts';
import { refuseCommonPassword } from '../lib/auth/common-passwords.ts';
import { hashPassword } from '../lib/auth/password-hash.ts';
import { connectDatabase, type Db } from '../lib/db/connect.ts';
import { connectOwner } from '../lib/db/connect-owner.ts';
import { shortText } from '../lib/schema/short-text.ts';
import { Problem } from '../contract/problem.ts';
import { explainError } from './explain-error.ts';
import { readArguments } from './read-arguments.ts';

const usage =
  'usage: npm run create-admin -- --email <address> [--tenant <slug>] [--tenant-name <name>]     (a password in ADMIN_PASSWORD)';

interface AdminSettings extends NewAdmin {
  databaseUrl: string;
  pepper: string;
  bcryptCost: number;
  password: string;
}

/** @throws an error whose message says what to do; nothing is created then. */
async function create({ databaseUrl, pepper, bcryptCost, password, ...admin }: AdminSettings) {
  const { email, tenant: slug, tenantName: name = slug } = admin;
  await refuseCommonPassword(password, '/password', contextWords(email, { name, slug }));
  const passwordHash = await hashPassword(password, pepper, bcryptCost);
  const db = connect(databaseUrl, admin.tenantName !== undefined);
  try {
    return await createAdmin(db, { ...admin, passwordHash }, new Date());
  } finally {
    await db.destroy();
  }
}

/** The app may create no tenant. Its login has no rights but those of its role. */
function connect(url: string, asOwner: boolean): Db {
  return asOwner ? connectOwner(url) : connectDatabase({ url, poolMax: 1, onIdleError: () => undefined }).db;
}

function readSettings(): AdminSettings {
  const text = { type: 'string' } as const;
  const { values } = readArguments(usage, {
    options: { email: text, tenant: text, 'tenant-name': text },
  });
  const { DATABASE_URL, PASSWORD_PEPPER, BCRYPT_COST, ADMIN_PASSWORD } = process.env;
  if (!DATABASE_URL || !PASSWORD_PEPPER) throw new Error('DATABASE_URL and PASSWORD_PEPPER must be set.');
  // Empty counts as not set, as for the app.
  const bcryptCost = Number(BCRYPT_COST || 12);
  if (!Number.isInteger(bcryptCost) || bcryptCost < 4 || bcryptCost > 15) {
    throw new Error('BCRYPT_COST must be a whole number from 4 to 15.');
  }
  const email = Email.safeParse(values.email);
  if (!email.success) throw new Error(`--email is not an email address.\n${usage}`);
  const tenant = values.tenant ?? 'default';
  if (!/^[a-z0-9](-?[a-z0-9]){0,62}$/.test(tenant)) {
    throw new Error('--tenant must be a slug: small letters, digits and single hyphens, at most 63.');
  }
  const name = shortText(200).optional().safeParse(values['tenant-name']);
  if (!name.success) throw new Error('--tenant-name is a line of 1 to 200 characters: mails show it.');
  const password = NewPassword.safeParse(ADMIN_PASSWORD || randomBytes(18).toString('base64url'));
  if (!password.success) throw new Error('ADMIN_PASSWORD is a password of 8 to 128 characters.');
  return {
    databaseUrl: DATABASE_URL,
    pepper: PASSWORD_PEPPER,
    bcryptCost,
    email: email.data,
    password: password.data,
    tenant,
    tenantName: name.data,
  };
}

function explain(error: unknown): string {
  if (error instanceof Problem && error.code === 'email_taken') {
    return 'This address has an account already.';
  }
  if (error instanceof Problem && error.errors !== undefined) {
    return `ADMIN_PASSWORD: ${error.errors.map(({ message }) => message).join(' ')}`;
  }
  return explainError(error);
}

if (import.meta.main) {
  try {
    const admin = readSettings();
    const { uuid } = await create(admin);
    console.log(`created admin ${admin.email} (${uuid}) in tenant ${admin.tenant}`);
    if (!process.env['ADMIN_PASSWORD']) console.log(`password: ${admin.password}   (shown once; change it)`);
  } catch (error) {
    console.error(explain(error));
    process.exit(1);
  }
}
