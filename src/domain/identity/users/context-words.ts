import { Role } from '../../../contract/role.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { findTenant } from '../../platform/tenants/tenant.queries.ts';

/** The same for every account (ASVS 5.0 6.1.2): the service, its field, and the roles. */
const everywhere = ['dermagate', 'dermatology', 'administrator', ...Role.options];

/**
 * What a guesser of this account would try first, and what a password therefore may not consist of: the list above,
 * the tenant's name and slug, and the email address but for its top-level domain; each whole and in its parts.
 */
export function contextWords(email: string, tenant: { name: string; slug: string }): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const labels = domain.split('.').slice(0, -1);
  const named = [local, ...labels, tenant.name, tenant.slug];
  return [
    ...new Set([...everywhere, ...named, ...named.flatMap((name) => name.split(/[^\p{L}\p{M}\p{N}]+/u))]),
  ];
}

export async function findContextWords(db: Db, tenantId: number, email: string): Promise<string[]> {
  return contextWords(email, await findTenant(db, tenantId));
}
