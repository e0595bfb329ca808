import { v7 as uuidv7 } from 'uuid';
import { systemActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { createAccount } from './create-account.ts';

export interface NewAdmin {
  email: string;
  /** Slug of the tenant. */
  tenant: string;
  /** Creates the tenant where it is missing. */
  tenantName?: string | undefined;
}

/**
 * Creates an admin from the command line, and the tenant where it is missing and a name for it is given.
 * @throws {Problem} `email_taken`; an error whose message says what to do. Nothing is created then.
 */
export async function createAdmin(
  db: Db,
  { email, passwordHash, ...place }: NewAdmin & { passwordHash: string },
): Promise<{ uuid: string }> {
  const tenantId = await findOrCreateTenant(db, place);
  return await inTenant(db, tenantId, async (tx) => {
    const account = { tenantId, email, passwordHash, role: 'admin', language: 'en' } as const;
    const { id: userId, uuid } = await createAccount(tx, account);
    const request = { id: 'create-admin', ipPrefix: undefined };
    const detail = { role: 'admin', by: 'command line' };
    const facts = { tenantId, userId, subject: { kind: 'user', uuid }, detail };
    await openAudit(auditEvents.userCreated, systemActor, request).succeeded(tx, facts);
    return { uuid };
  });
}

async function findOrCreateTenant(
  db: Db,
  { tenant: slug, tenantName: name }: Pick<NewAdmin, 'tenant' | 'tenantName'>,
): Promise<number> {
  const known = await db.selectFrom('tenants').select('id').where('slug', '=', slug).executeTakeFirst();
  if (known !== undefined) return known.id;
  if (name === undefined) {
    throw new Error(`There is no tenant ${slug}. Add --tenant-name "…" to create it.`);
  }
  const values = { uuid: uuidv7(), name, slug };
  return (await db.insertInto('tenants').values(values).returning('id').executeTakeFirstOrThrow()).id;
}
