import type { Db } from '../../lib/db/connect.ts';
import { Problem } from '../../lib/problem.ts';
import type { Role } from '../users/user.schemas.ts';
import { requireActiveTenant } from './tenant.queries.ts';

export interface RegistrationCaller {
  /** Who registers somebody else; only admins may. */
  creator: { role: Role; tenantId: number } | undefined;
  /** The tenant that a caller without a token asked for. */
  slug: string;
  /** Roles that anyone may take. */
  openRoles: readonly Role[];
}

/**
 * The tenant that a new account of `role` joins.
 * @returns `tenants.id`
 * @throws {Problem} `role_not_allowed` when the role, or the tenant, is closed to self-registration;
 *   `tenant_not_found`
 */
export async function findRegistrationTenant(
  db: Db,
  { creator, slug, openRoles }: RegistrationCaller,
  role: Role,
): Promise<number> {
  if (creator?.role === 'admin') return creator.tenantId;
  if (!openRoles.includes(role)) {
    throw new Problem('role_not_allowed', {
      detail: 'Accounts of this role are created by an admin or by invitation.',
    });
  }
  const tenant = await requireActiveTenant(db, slug);
  if (!tenant.self_registration) {
    throw new Problem('role_not_allowed', { detail: 'This tenant is closed to self-registration.' });
  }
  return tenant.id;
}
