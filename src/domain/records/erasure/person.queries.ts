import type { Db, Tx } from '../../../lib/db/connect.ts';

export interface Account {
  id: number;
  uuid: string;
  role: string;
  tenantId: number;
  /** The tenant's slug. */
  tenant: string;
}

/** The account of a tenant with this address or uuid, and its address. */
export async function findAccount(
  tx: Tx,
  tenantId: number,
  key: { email: string } | { uuid: string },
): Promise<{ email: string; account: Account } | undefined> {
  const column = 'email' in key ? 'email' : 'uuid';
  const value = 'email' in key ? key.email : key.uuid;
  const user = await tx
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select(['users.id', 'users.uuid', 'users.role', 'users.email', 'tenants.slug'])
    .where('users.tenant_id', '=', tenantId)
    .where(`users.${column}`, '=', value)
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const { email, slug: tenant, ...account } = user;
  return { email, account: { ...account, tenantId, tenant } };
}

/** Requests for a link, of any tenant: no worker has been able to deal with them yet. */
export async function findLinkRequests(db: Db) {
  return await db
    .selectFrom('outbox_messages')
    .select(['id', 'payload', 'dedupe_key'])
    .where('topic', 'in', ['password_reset_requested', 'email_verification_requested'])
    .execute();
}

export async function deleteLinkRequest(db: Db, id: number): Promise<void> {
  await db.deleteFrom('outbox_messages').where('id', '=', id).execute();
}
