import type { Db } from '../../../lib/db/connect.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import { findOpenInvitation } from '../invitations/invitation.queries.ts';
import { requireActiveTenant } from '../tenants/tenant.queries.ts';
import { countRefusedToken } from '../throttle/refused-token.ts';
import type { ThrottleRule } from '../throttle/throttle.ts';
import type { Role } from '../../../contract/role.ts';

export interface RegistrationWish {
  email: string | undefined;
  role: Role | undefined;
  /** SHA-256 of an invitation token; null when one was sent that cannot be one. */
  invitationHash: Buffer | null | undefined;
}

interface Creator {
  id: number;
  role: Role;
  tenantId: number;
  sessionUuid: string;
}

export interface RegistrationTerms {
  /** Who registers somebody else; only admins may. */
  creator: Creator | undefined;
  /** The tenant that a caller without a token asked for. */
  slug: string;
  /** Roles that anyone may take. */
  openRoles: readonly Role[];
  /** What counts invitations that do not exist. */
  refusals: readonly ThrottleRule[];
  now: Date;
}

export interface AdmittedRegistration {
  tenantId: number;
  email: string;
  role: Role;
  invitationUuid?: string;
  /** The admin who makes the account; undefined where its owner does, whatever token the request carries. */
  creator?: { userId: number; sessionUuid: string };
  /** Whether anyone may register so: neither by invitation nor by an admin. */
  isOpen: boolean;
}

/**
 * Decides which account a registration makes, and in which tenant: by invitation, by an admin, or by oneself.
 * @throws {Problem} `invitation_invalid`, `rate_limited`, `validation_error`, `role_not_allowed`, `tenant_not_found`
 */
export async function admitRegistration(
  db: Db,
  wish: RegistrationWish,
  { creator, slug, openRoles, refusals, now }: RegistrationTerms,
): Promise<AdmittedRegistration> {
  if (wish.invitationHash !== undefined) return await admitByInvitation(db, wish, { refusals, now });
  const { email, role } = wish;
  if (email === undefined || role === undefined) throw new Error('the schema requires both without a token');
  if (creator?.role === 'admin') {
    const { id: userId, tenantId, sessionUuid } = creator;
    return { tenantId, email, role, creator: { userId, sessionUuid }, isOpen: false };
  }
  if (!openRoles.includes(role)) {
    throw new Problem('role_not_allowed', {
      detail: 'Accounts of this role are created by an admin or by invitation.',
    });
  }
  const tenant = await requireActiveTenant(db, slug);
  if (!tenant.self_registration) {
    throw new Problem('role_not_allowed', { detail: 'This tenant is closed to self-registration.' });
  }
  return { tenantId: tenant.id, email, role, isOpen: true };
}

/** Email, role and tenant are the invitation's; a body that says otherwise is refused, not corrected. */
async function admitByInvitation(
  db: Db,
  { invitationHash: hash, ...wish }: RegistrationWish,
  { refusals, now }: Pick<RegistrationTerms, 'refusals' | 'now'>,
): Promise<AdmittedRegistration> {
  const invitation = hash == null ? undefined : await findOpenInvitation(db, hash, now);
  if (invitation === undefined) {
    await countRefusedToken(db, refusals, hash != null, now);
    throw new Problem('invitation_invalid');
  }
  const { uuid, tenant_id: tenantId, email, role } = invitation;
  const errors: FieldError[] = [];
  const message = 'Differs from the invitation.';
  if ((wish.email ?? email) !== email) errors.push({ pointer: '/email', code: 'invalid_value', message });
  if ((wish.role ?? role) !== role) errors.push({ pointer: '/role', code: 'invalid_value', message });
  if (errors.length > 0) throw new Problem('validation_error', { errors });
  return { tenantId, email, role, invitationUuid: uuid, isOpen: false };
}
