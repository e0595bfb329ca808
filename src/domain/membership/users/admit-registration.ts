import type { Actor } from '../../../contract/actor.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { Role } from '../../../contract/role.ts';
import { hashOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/app/context.ts';
import { findOpenInvitation } from '../invitations/invitation.queries.ts';
import { requireActiveTenant } from '../../platform/tenants/tenant.queries.ts';
import { registrationRules } from '../../platform/throttle/auth-limits.ts';
import { countRefusal } from '../../platform/throttle/throttle.ts';

export interface RegistrationInput {
  email?: string | undefined;
  role?: Role | undefined;
  invitation_token?: string | undefined;
}

export interface AdmittedRegistration {
  tenantId: number;
  email: string;
  role: Role;
  invitationUuid?: string;
  /** The admin who creates the account; undefined when its owner does, with or without a token. */
  creator?: { userId: number; sessionUuid: string };
  /** Whether anyone may register so: neither by invitation nor by an admin. */
  isOpen: boolean;
}

/**
 * Decides which account a registration makes, and in which tenant: by invitation, by an admin, or by its owner.
 * @throws {Problem} `invitation_invalid`, `rate_limited`, `validation_error`, `role_not_allowed`, `tenant_not_found`
 */
export async function admitRegistration(
  context: Context,
  actor: Actor,
  input: RegistrationInput,
): Promise<AdmittedRegistration> {
  const { email, role, invitation_token: invitationToken } = input;
  if (invitationToken !== undefined) return await admitByInvitation(context, input, invitationToken);
  if (email === undefined || role === undefined) throw new Error('the schema requires both without a token');
  if (actor.kind === 'account' && actor.role === 'admin') {
    const { id: userId, tenantId, sessionUuid } = actor;
    return { tenantId, email, role, creator: { userId, sessionUuid }, isOpen: false };
  }
  const { db, config, request } = context;
  if (!config.SELF_REGISTRATION_ROLES.includes(role)) {
    throw new Problem('role_not_allowed', {
      detail: 'Accounts of this role are created by an admin or by invitation.',
    });
  }
  const tenant = await requireActiveTenant(db, request.tenantSlug);
  if (!tenant.self_registration) {
    throw new Problem('role_not_allowed', { detail: 'This tenant is closed to self-registration.' });
  }
  return { tenantId: tenant.id, email, role, isOpen: true };
}

/** Email, role and tenant are the invitation's; a body that differs is refused, not corrected. */
async function admitByInvitation(
  { db, config, throttleKey, request }: Context,
  input: RegistrationInput,
  token: string,
): Promise<AdmittedRegistration> {
  const { receivedAt: now, ipPrefix } = request;
  const hash = hashOpaqueToken('invitation', token);
  const invitation = hash && (await findOpenInvitation(db, hash, now));
  if (invitation === undefined) {
    const rules = registrationRules(config, throttleKey, ipPrefix, false);
    await countRefusal(db, rules, hash !== undefined, now);
    throw new Problem('invitation_invalid');
  }
  const { uuid, tenant_id: tenantId, email, role } = invitation;
  const errors: FieldError[] = [];
  const message = 'Differs from the invitation.';
  if ((input.email ?? email) !== email) errors.push({ pointer: '/email', code: 'invalid_value', message });
  if ((input.role ?? role) !== role) errors.push({ pointer: '/role', code: 'invalid_value', message });
  if (errors.length > 0) throw new Problem('validation_error', { errors });
  return { tenantId, email, role, invitationUuid: uuid, isOpen: false };
}
