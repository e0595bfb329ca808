import { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';

/*
 * Who gets a mail and whether it still means anything, as the database has it at delivery; each undefined where
 * it does not.
 */

/** The owner of a reset token that works at `now`. */
export async function findResetAddressee(tx: Tx, resetTokenId: number, now: Date) {
  return await tx
    .selectFrom('password_reset_tokens as token')
    .innerJoin('users as user', 'user.id', 'token.user_id')
    .innerJoin('tenants as tenant', 'tenant.id', 'user.tenant_id')
    .select(['user.email', 'token.expires_at'])
    .where('token.id', '=', resetTokenId)
    .where('token.used', '=', false)
    .where('token.expires_at', '>', now)
    .where('user.is_active', '=', true)
    .where('tenant.is_active', '=', true)
    .executeTakeFirst();
}

/** The invited, while the invitation is open, at `now`. */
export async function findInvited(tx: Tx, invitationUuid: string, now: Date) {
  return await tx
    .selectFrom('invitations as invitation')
    .innerJoin('tenants as tenant', 'tenant.id', 'invitation.tenant_id')
    .innerJoin('users as inviter', 'inviter.id', 'invitation.invited_by')
    .where('inviter.is_active', '=', true)
    .where('inviter.role', '=', 'admin')
    .select(['invitation.email', 'invitation.expires_at', 'tenant.name as tenant_name'])
    .where('invitation.uuid', '=', invitationUuid)
    .where('invitation.used_at', 'is', null)
    .where('invitation.superseded_at', 'is', null)
    .where('invitation.expires_at', '>', now)
    .where('tenant.is_active', '=', true)
    .executeTakeFirst();
}

/** The owner of an address that is still to be verified, while the token works. */
export async function findUnverified(tx: Tx, verificationTokenId: number, now: Date) {
  return await tx
    .selectFrom('email_verification_tokens as token')
    .innerJoin('users as user', 'user.id', 'token.user_id')
    .innerJoin('tenants as tenant', 'tenant.id', 'user.tenant_id')
    .select(['token.email', 'token.expires_at'])
    .whereRef('user.email', '=', 'token.email')
    .where('token.id', '=', verificationTokenId)
    .where('token.used', '=', false)
    .where('token.expires_at', '>', now)
    .where('user.is_active', '=', true)
    .where('tenant.is_active', '=', true)
    .executeTakeFirst();
}

/**
 * The owner of an account, also of one that is switched off: what was changed is theirs to know. With the language of
 * the account's mails, undefined where it has none: that of the request is the choice of the caller who made the change.
 */
export async function findAccountOwner(tx: Tx, userId: number) {
  const owner = await tx
    .selectFrom('users')
    .select(['email', 'language'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return owner && { ...owner, language: Language.optional().catch(undefined).parse(owner.language) };
}
