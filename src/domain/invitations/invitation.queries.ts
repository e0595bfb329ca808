import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../lib/db/connect.ts';
import { Problem } from '../../lib/problem.ts';
import type { Role } from '../users/user.schemas.ts';

/** An invitation lives seven days. */
export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1000;

export interface NewInvitation {
  tenantId: number;
  email: string;
  role: Role;
  tokenHash: Buffer;
  invitedBy: number;
}

/** Writes an invitation; an older open one for the same address no longer works. */
export async function insertInvitation(tx: Tx, invitation: NewInvitation, now: Date) {
  // Two admins who invite one address at the same time come after each other, and the later invitation counts.
  const lock = `invitation:${invitation.email}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
  await tx
    .updateTable('invitations')
    .set({ superseded_at: now })
    .where('email', '=', invitation.email)
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .execute();
  return await tx
    .insertInto('invitations')
    .values({
      uuid: uuidv7(),
      tenant_id: invitation.tenantId,
      email: invitation.email,
      role: invitation.role,
      token_hash: invitation.tokenHash,
      invited_by: invitation.invitedBy,
      expires_at: new Date(now.getTime() + invitationLifetimeMs),
      created_at: now,
    })
    .returning(['uuid', 'email', 'role', 'expires_at'])
    .executeTakeFirstOrThrow();
}

export interface OpenInvitation {
  uuid: string;
  tenant_id: number;
  email: string;
  role: Role;
}

/** An invitation that can still be redeemed, found by its token's hash. */
export async function findOpenInvitation(db: Db, hash: Buffer): Promise<OpenInvitation | undefined> {
  const { rows } = await sql<OpenInvitation>`SELECT * FROM find_invitation(${hash})`.execute(db);
  return rows[0];
}

/** @throws {Problem} `invitation_invalid` when another request has just redeemed it. */
export async function redeemInvitation(tx: Tx, uuid: string, now: Date): Promise<void> {
  const redeemed = await tx
    .updateTable('invitations')
    .set({ used_at: now })
    .where('uuid', '=', uuid)
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (redeemed.numUpdatedRows !== 1n) throw new Problem('invitation_invalid');
}
