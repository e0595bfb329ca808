import { type ExpressionBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import type { DB } from '../../../lib/db/tables.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Role } from '../../../contract/role.ts';

/** An invitation lives seven days. */
export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1000;

export interface NewInvitation {
  tenantId: number;
  email: string;
  role: Role;
  tokenHash: Buffer;
  invitedBy: number;
  /** Whether the token goes to the mailbox and nowhere else: redeeming it proves the address then. */
  sentByMail: boolean;
}

/** Writes an invitation; an older open one for the same address no longer works. */
export async function insertInvitation(tx: Tx, invitation: NewInvitation, now: Date) {
  await withdrawInvitations(tx, invitation, now);
  return await tx
    .insertInto('invitations')
    .values({
      uuid: uuidv7(),
      tenant_id: invitation.tenantId,
      email: invitation.email,
      role: invitation.role,
      token_hash: invitation.tokenHash,
      invited_by: invitation.invitedBy,
      sent_by_mail: invitation.sentByMail,
      expires_at: new Date(now.getTime() + invitationLifetimeMs),
      created_at: now,
    })
    .returning(['uuid', 'email', 'role', 'expires_at'])
    .executeTakeFirstOrThrow();
}

/**
 * Supersedes the unused invitations of a tenant to an address, the expired ones too: an admin could send those again. Where the
 * address has an account in the tenant, lock the account first, as redeeming does.
 * @returns how many there were.
 */
export async function withdrawInvitations(
  tx: Tx,
  { tenantId, email }: { tenantId: number; email: string },
  now: Date,
): Promise<number> {
  await lockInvited(tx, tenantId, email);
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ superseded_at: now })
    .where('tenant_id', '=', tenantId)
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Withdraws the unused invitations that an account has sent. They are invalid while it is no active admin, and are not listed:
 * they must not count again, unseen, once it is one.
 * @returns how many there were.
 */
export async function withdrawSent(tx: Tx, invitedBy: number, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ superseded_at: now })
    .where('invited_by', '=', invitedBy)
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Gives the unused invitations of a tenant to an address the role that its account gets: the one before would make another
 * account of it, or give a role back that an admin has taken away. Lock the account first, as for {@link withdrawInvitations}.
 * @returns how many had another role.
 */
export async function changeInvitedRole(
  tx: Tx,
  { tenantId, email }: { tenantId: number; email: string },
  role: Role,
): Promise<number> {
  await lockInvited(tx, tenantId, email);
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ role })
    .where('tenant_id', '=', tenantId)
    .where('email', '=', email)
    .where('role', '!=', role)
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Two admins who invite one address at the same time come after each other, and the later invitation counts. */
async function lockInvited(tx: Tx, tenantId: number, email: string): Promise<void> {
  const lock = `invitation:${tenantId}:${email}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
}

/**
 * An invitation that is neither used nor withdrawn nor replaced, open or expired; it stays so until the transaction ends,
 * unless it is redeemed.
 */
export async function lockUnused(tx: Tx, uuid: string): Promise<{ email: string; role: Role } | undefined> {
  const unused = tx
    .selectFrom('invitations')
    .select(['tenant_id', 'email', (eb) => eb.ref('role').$castTo<Role>().as('role')])
    .where('uuid', '=', uuid)
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null);
  const found = await unused.executeTakeFirst();
  if (found === undefined) return undefined;
  await lockInvited(tx, found.tenant_id, found.email);
  return await unused.executeTakeFirst();
}

export interface OpenInvitation {
  uuid: string;
  tenant_id: number;
  email: string;
  role: Role;
}

/** An invitation that can be redeemed at `now`, found by its token's hash. */
export async function findOpenInvitation(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<OpenInvitation | undefined> {
  const { rows } = await sql<OpenInvitation>`SELECT * FROM find_invitation(${hash}, ${now})`.execute(db);
  return rows[0];
}

/** Unused, neither superseded nor revoked, not expired, and its inviter is still an active admin. */
const isOpen = (now: Date) => (eb: ExpressionBuilder<DB, 'invitations'>) =>
  eb.and([
    eb('invitations.used_at', 'is', null),
    eb('invitations.superseded_at', 'is', null),
    eb('invitations.expires_at', '>', now),
    eb.exists(
      eb
        .selectFrom('users as inviter')
        .select('inviter.id')
        .whereRef('inviter.id', '=', 'invitations.invited_by')
        .where('inviter.is_active', '=', true)
        .where('inviter.role', '=', 'admin'),
    ),
  ]);

/**
 * @returns whether the token went by mail, so that its bearer has proved the address, and the role, which an admin may have changed
 *   since the invitation was found.
 * @throws {Problem} `invitation_invalid` when another request has just redeemed it, or an admin has revoked it.
 */
export async function redeemInvitation(
  tx: Tx,
  uuid: string,
  now: Date,
): Promise<{ sentByMail: boolean; role: Role }> {
  const redeemed = await tx
    .updateTable('invitations')
    .set({ used_at: now })
    .where('uuid', '=', uuid)
    .where(isOpen(now))
    .returning(['sent_by_mail', (eb) => eb.ref('role').$castTo<Role>().as('role')])
    .executeTakeFirst();
  if (redeemed === undefined) throw new Problem('invitation_invalid');
  return { sentByMail: redeemed.sent_by_mail, role: redeemed.role };
}

/** At most this many are listed. */
export const listedInvitations = 500;

/** The open invitations of a tenant, the newest first. */
export async function listOpenInvitations(tx: Tx, now: Date) {
  return await tx
    .selectFrom('invitations')
    .innerJoin('users as inviter', 'inviter.id', 'invitations.invited_by')
    .select([
      'invitations.uuid',
      'invitations.email',
      'invitations.role',
      'inviter.uuid as invited_by',
      'invitations.created_at',
      'invitations.expires_at',
    ])
    .where(isOpen(now))
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.uuid', 'desc')
    .limit(listedInvitations)
    .execute();
}

/** The open invitation to an address, null where there is none. */
export async function findOpenInvitationTo(tx: Tx, email: string, now: Date) {
  const row = await tx
    .selectFrom('invitations')
    .select(['invitations.uuid', 'invitations.expires_at'])
    .where('invitations.email', '=', email)
    .where(isOpen(now))
    .executeTakeFirst();
  return row ?? null;
}

/** @returns false when no invitation of this id is open in the tenant. */
export async function closeInvitation(tx: Tx, uuid: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ superseded_at: now })
    .where('uuid', '=', uuid)
    .where(isOpen(now))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Whether it is, or was, an invitation of this tenant. */
export async function isOwnInvitation(tx: Tx, uuid: string): Promise<boolean> {
  const row = await tx.selectFrom('invitations').select('uuid').where('uuid', '=', uuid).executeTakeFirst();
  return row !== undefined;
}
