import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';

export interface NewDevice {
  platform: 'ios' | 'android' | 'web';
  /** As the provider of push messages issued it. */
  token: string;
  app_version: string;
}

export interface Device {
  uuid: string;
  platform: NewDevice['platform'];
  app_version: string;
  last_seen_at: Date;
}

/** The purpose that a device's token is sealed for. */
export const deviceTokenPurpose = (uuid: string): string => `push_device:${uuid}`;

/**
 * Registers the device of the caller's session for push messages. A device has one token: the account that registers it last gets its
 * messages, so that a phone that was handed on shows nothing of its former owner's account.
 */
export async function registerDevice(
  { db, clock, audit, fieldCrypto }: Context,
  { id: userId, tenantId, sessionUuid }: AccountActor,
  { platform, token, app_version: appVersion }: NewDevice,
): Promise<Device> {
  const uuid = uuidv7();
  const sealed = await fieldCrypto.seal(token, deviceTokenPurpose(uuid));
  const owned = {
    user_id: userId,
    session_uuid: sessionUuid,
    app_version: appVersion,
    last_seen_at: clock.now(),
    uuid,
    token: sealed,
  };
  const row = { ...owned, tenant_id: tenantId, platform, token_hash: hashOf(platform, token) };
  return await inTenant(db, tenantId, async (tx) => {
    const device = await tx
      .insertInto('push_devices')
      .values(row)
      .onConflict((conflict) => conflict.columns(['tenant_id', 'token_hash']).doUpdateSet(owned))
      .returning(['uuid', 'platform', 'app_version', 'last_seen_at'])
      .executeTakeFirstOrThrow();
    await audit.succeeded(tx, { subject: { kind: 'push_device', uuid: device.uuid }, detail: { platform } });
    return { ...device, platform };
  });
}

const hashOf = (platform: string, token: string) =>
  createHash('sha256').update(`${platform}\0${token}`).digest();
