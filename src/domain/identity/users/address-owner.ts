import { sql } from 'kysely';
import { auditEvents } from '../../../contract/audit.ts';
import type { AuditContext } from '../../../lib/audit.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { withinTenant } from '../../../lib/db/tenant.ts';
import { Problem } from '../../../contract/problem.ts';
import { parameterSchemas } from '../../catalogue/parameters/parameter-schemas.ts';
import { endSessions } from '../sessions/session.queries.ts';
import { handBackCases } from './hand-back-cases.ts';

export interface AddressOwner {
  user_id: number;
  user_uuid: string;
  tenant_id: number;
  is_active: boolean;
  is_verified: boolean;
  tenant_is_active: boolean;
}

/** The account with this address, in any tenant. */
export async function findAddressOwner(db: Db, email: string): Promise<AddressOwner | undefined> {
  const { rows } = await sql<AddressOwner>`SELECT * FROM find_address_owner(${email})`.execute(db);
  return rows[0];
}

/**
 * Makes an address free for the person who has just proved to receive its mail: an account that took it without ever
 * proving that is retired. It becomes inactive, its sessions end, its address is replaced; what it stored stays its own.
 *
 * @param tx of the tenant that the new account joins.
 * @throws {Problem} `email_taken` when the owner of the account has verified the address.
 */
export async function releaseAddress(tx: Tx, email: string, now: Date, audit: AuditContext): Promise<void> {
  const owner = await findAddressOwner(tx, email);
  if (owner === undefined) return;
  if (owner.is_verified) throw new Problem('email_taken');
  const { tenant_id: tenantId, user_id: userId, user_uuid: uuid } = owner;
  await withinTenant(tx, tenantId, async () => {
    const retired = await tx
      .updateTable('users')
      // Not a name that a mail server or our own check of addresses accepts.
      .set({ email: `released-${uuid}@invalid`, is_active: false, version: sql<number>`version + 1` })
      .where('id', '=', userId)
      .where('email', '=', email)
      .where('is_verified', '=', false)
      .executeTakeFirst();
    // Verified, or retired by another invitation, since it was read.
    if (retired.numUpdatedRows !== 1n) throw new Problem('email_taken');
    for (const table of ['password_reset_tokens', 'email_verification_tokens'] as const) {
      await tx
        .updateTable(table)
        .set({ used: true, used_at: now })
        .where('user_id', '=', userId)
        .where('used', '=', false)
        .execute();
    }
    const sessions = await endSessions(tx, userId, 'all', 'address_released', now);
    // The hours of its tenant are not read within a transaction; they only matter to a case that became urgent on hold.
    const sla = parameterSchemas['queue/sla_hours'].parse({});
    const cases = await handBackCases(tx, { audit, now, sla }, userId);
    // The invited person's account does not exist yet.
    await audit.as(auditEvents.userRetired).succeeded(tx, {
      tenantId,
      userId: undefined,
      sessionUuid: undefined,
      subject: { kind: 'user', uuid },
      detail: { reason: 'address_proved_by_invitation', sessions, cases },
    });
  });
}
