import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { Problem } from '../../../contract/problem.ts';

/** @returns undefined for an unknown slug and for a tenant that is switched off. */
export async function findActiveTenantBySlug(db: Db, slug: string) {
  return await db
    .selectFrom('tenants')
    .select(['id', 'uuid', 'name', 'slug', 'self_registration'])
    .where('slug', '=', slug)
    .where('is_active', '=', true)
    .executeTakeFirst();
}

/** @throws {Problem} `tenant_not_found` */
export async function requireActiveTenant(db: Db, slug: string) {
  const tenant = await findActiveTenantBySlug(db, slug);
  if (tenant === undefined) throw new Problem('tenant_not_found');
  return tenant;
}

export async function findTenant(db: Db, id: number) {
  return await db
    .selectFrom('tenants')
    .select(['uuid', 'name', 'slug', 'is_active', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Also a tenant that is switched off. */
export async function findTenantBySlug(
  db: Db,
  slug: string,
): Promise<{ id: number; name: string } | undefined> {
  return await db.selectFrom('tenants').select(['id', 'name']).where('slug', '=', slug).executeTakeFirst();
}

/** @returns its id. */
export async function insertTenant(tx: Tx, { name, slug }: { name: string; slug: string }): Promise<number> {
  const values = { uuid: uuidv7(), name, slug };
  return (await tx.insertInto('tenants').values(values).returning('id').executeTakeFirstOrThrow()).id;
}
