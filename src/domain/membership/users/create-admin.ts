import { systemActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { withinTenant } from '../../../lib/db/tenant.ts';
import { inTransaction } from '../../../lib/db/transaction.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { findTenantBySlug, insertTenant } from '../../platform/tenants/tenant.queries.ts';
import { createAccount } from './create-account.ts';

export interface NewAdmin {
  email: string;
  /** Slug of the tenant. */
  tenant: string;
  /** Creates the tenant where it is missing; of one that there is, the name that it has. */
  tenantName?: string | undefined;
}

/**
 * Creates an admin from the command line, and the tenant where it is missing and a name for it is given. The operator vouches for
 * the address: it counts as verified.
 * @throws {Problem} `email_taken`; an error whose message says what to do. Nothing is created then, no tenant either.
 */
export async function createAdmin(
  db: Db,
  { email, passwordHash, ...place }: NewAdmin & { passwordHash: string },
  now: Date,
): Promise<{ uuid: string }> {
  return await inTransaction(db, async (tx) => {
    const tenantId = await findOrCreateTenant(tx, place);
    return await withinTenant(tx, tenantId, async () => {
      const account = {
        tenantId,
        email,
        passwordHash,
        role: 'admin',
        language: 'en',
        verifiedAt: now,
      } as const;
      const { id: userId, uuid } = await createAccount(tx, account);
      const request = { id: 'create-admin', ipPrefix: undefined };
      const detail = { role: 'admin', by: 'command line' };
      const facts = { tenantId, userId, subject: { kind: 'user', uuid }, detail };
      await openAudit(auditEvents.userCreated, systemActor, request).succeeded(tx, facts);
      return { uuid };
    });
  });
}

async function findOrCreateTenant(
  tx: Tx,
  { tenant: slug, tenantName: name }: Pick<NewAdmin, 'tenant' | 'tenantName'>,
): Promise<number> {
  const known = await findTenantBySlug(tx, slug);
  if (known !== undefined) {
    if ([undefined, known.name].includes(name)) return known.id;
    throw new Error(
      `There is a tenant ${slug} already, by the name “${known.name}”: leave out --tenant-name, or name another --tenant.`,
    );
  }
  if (name === undefined) {
    throw new Error(`There is no tenant ${slug}. Add --tenant-name "…" to create it.`);
  }
  return await insertTenant(tx, { name, slug });
}
