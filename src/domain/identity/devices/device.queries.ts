import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { PushDevices } from '../../../lib/db/tables.ts';
import { withinTenant } from '../../../lib/db/tenant.ts';
import { isOpenAt } from '../sessions/open-session.queries.ts';

/** Devices of one account. News costs a message for each: without a limit one account could delay those of others. */
const most = 20;

/** Devices whose sessions are open: a session that expires takes its devices along only when they are swept. */
export function devicesInUse(tx: Tx, now: Date) {
  return tx
    .selectFrom('push_devices')
    .innerJoin('sessions', 'sessions.uuid', 'push_devices.session_uuid')
    .where(isOpenAt(now));
}

/**
 * Locks a session, so that it ends only after the transaction, and takes along what that has registered.
 * @returns false when it has ended.
 */
export async function lockOpenSession(tx: Tx, sessionUuid: string, now: Date): Promise<boolean> {
  const session = await tx
    .selectFrom('sessions')
    .select('uuid')
    .where('uuid', '=', sessionUuid)
    .where(isOpenAt(now))
    .forShare()
    .executeTakeFirst();
  return session !== undefined;
}

/** @returns the uuid of the user's device with this token. */
export async function findOwnDevice(tx: Tx, userId: number, tokenHash: Buffer): Promise<string | undefined> {
  const device = await tx
    .selectFrom('push_devices')
    .select('uuid')
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return device?.uuid;
}

export interface RegisteredDevice {
  uuid: string;
  user_id: number;
  session_uuid: string;
  tenant_id: number;
  platform: PushDevices['platform'];
  app_version: string;
  last_seen_at: Date;
  /** Sealed. */
  token: string;
  token_hash: Buffer;
}

/** Writes a device. A token that is registered in the tenant gets its uuid, user and session. */
export async function saveDevice(tx: Tx, device: RegisteredDevice) {
  const { tenant_id: _tenant, platform: _platform, token_hash: _hash, ...owned } = device;
  return await tx
    .insertInto('push_devices')
    .values(device)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'token_hash']).doUpdateSet(owned))
    .returning(['uuid', 'app_version', 'last_seen_at'])
    .executeTakeFirstOrThrow();
}

/** @returns false when the user has no such device. */
export async function deleteOwnDevice(tx: Tx, userId: number, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('push_devices')
    .where('uuid', '=', uuid)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Deletes the registrations of a token in other tenants than that of the transaction, which locks the token: two accounts that
 * register it at the same time come after each other, and the later one has it.
 */
export async function deleteElsewhere(tx: Tx, tenantId: number, tokenHash: Buffer): Promise<void> {
  const lock = `push_token:${tokenHash.toString('hex')}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
  const { rows } = await sql<{ tenant_id: number }>`
    SELECT tenant_id FROM find_push_token_tenants(${tokenHash}) WHERE tenant_id <> ${tenantId}`.execute(tx);
  for (const { tenant_id: other } of rows) {
    await withinTenant(tx, other, () =>
      tx.deleteFrom('push_devices').where('token_hash', '=', tokenHash).execute(),
    );
  }
}

/** Deletes the devices of a user beyond {@link most}, those not seen for longest; the caller holds the lock on the account. */
export async function deleteDevicesOverLimit(tx: Tx, userId: number, newest: string): Promise<void> {
  await tx
    .deleteFrom('push_devices')
    .where('uuid', 'in', (eb) =>
      eb
        .selectFrom('push_devices as other')
        .select('other.uuid')
        .where('other.user_id', '=', userId)
        .where('other.uuid', '!=', newest)
        .orderBy('other.last_seen_at', 'desc')
        .orderBy('other.uuid', 'desc')
        .offset(most - 1),
    )
    .execute();
}
