import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { isAllowedEndpoint, readSubscription, writeSubscription } from '../../../lib/push/subscription.ts';
import { lockAccount } from '../users/user.queries.ts';
import {
  deleteDevicesOverLimit,
  deleteElsewhere,
  findOwnDevice,
  lockOpenSession,
  saveDevice,
} from './device.queries.ts';
import { deviceTokenPurpose } from './device-token.ts';

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

/**
 * Registers the device of the caller's session for push messages. A device has one token: the account that registers it last
 * gets its messages, in any tenant, so that a phone that was handed on shows nothing of its former owner's account. Registered again by the
 * same account it has the uuid of before, because messages that wait for their provider name it. An account has 20 devices at
 * most: a further one replaces the one that was registered longest ago.
 *
 * @throws {Problem} `validation_error` for a browser's token that is no subscription, or leads elsewhere than to a push
 *   service; `token_invalid` when the session has ended since the request was admitted.
 */
export async function registerDevice(
  { db, clock, config, audit, fieldCrypto }: Context,
  { id: userId, tenantId, sessionUuid }: AccountActor,
  { platform, token: given, app_version: appVersion }: NewDevice,
): Promise<Device> {
  const token = platform === 'web' ? subscriptionIn(given, config.WEB_PUSH_HOSTS) : given;
  const hash = hashOf(platform, token);
  return await inTenant(db, tenantId, async (tx) => {
    await lockAccount(tx, userId);
    const now = clock.now();
    if (!(await lockOpenSession(tx, sessionUuid, now))) throw new Problem('token_invalid');
    await deleteElsewhere(tx, tenantId, hash);
    const uuid = (await findOwnDevice(tx, userId, hash)) ?? uuidv7();
    const device = await saveDevice(tx, {
      user_id: userId,
      session_uuid: sessionUuid,
      app_version: appVersion,
      last_seen_at: now,
      uuid,
      token: await fieldCrypto.seal(token, deviceTokenPurpose(uuid)),
      tenant_id: tenantId,
      platform,
      token_hash: hash,
    });
    await deleteDevicesOverLimit(tx, userId, uuid);
    await audit.succeeded(tx, { subject: { kind: 'push_device', uuid }, detail: { platform } });
    return { ...device, platform };
  });
}

function subscriptionIn(token: string, hosts: readonly string[]): string {
  const subscription = readSubscription(token);
  if (subscription !== undefined && isAllowedEndpoint(subscription.endpoint, hosts)) {
    return writeSubscription(subscription);
  }
  const message = 'Must be a subscription as JSON, with an endpoint of a push service that browsers use.';
  throw new Problem('validation_error', { errors: [{ pointer: '/token', code: 'invalid_value', message }] });
}

const hashOf = (platform: string, token: string) =>
  createHash('sha256').update(`${platform}\0${token}`).digest();
