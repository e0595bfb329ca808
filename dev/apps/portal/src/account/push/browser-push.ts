// Push messages to this browser: a subscription at the browser's push service, and its device at the gateway.
import type { Outcome } from '../../gateway/attempt.ts';
import { readPushKey, registerDevice, removeDevice } from '../../gateway/account-calls.ts';
import { unlessLeft } from '../../gateway/gateway.ts';
import { currentSubscription, forgetPush, readPushMarker, writePushMarker } from './push-marker.ts';

export type PushState = 'on' | 'off' | 'blocked' | 'unavailable';

/** Whether messages come to this browser for this user. @param key of the gateway; null where it sends none. */
export function pushState(userUuid: string, key: string | null): PushState {
  const canPush = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
  if (key === null || !canPush) return 'unavailable';
  if (Notification.permission === 'denied') return 'blocked';
  return readPushMarker() === userUuid && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Asks for the permission, subscribes, and registers the device. */
export async function switchPushOn(userUuid: string, key: string): Promise<Outcome<unknown>> {
  if ((await unlessLeft(Notification.requestPermission())) !== 'granted')
    return { ok: true, value: undefined };
  const subscription = await unlessLeft(subscribe(key).catch(() => undefined));
  if (subscription === undefined) return { ok: false, failure: { code: 'unexpected', fields: {} } };
  const registered = await registerDevice(JSON.stringify(subscription));
  if (registered.ok) writePushMarker(userUuid);
  return registered;
}

export async function switchPushOff(): Promise<Outcome<unknown>> {
  const subscription = await unlessLeft(currentSubscription());
  if (subscription) {
    // Registering a token again returns its device, so that no id needs to be stored here.
    const device = await registerDevice(JSON.stringify(subscription));
    if (!device.ok) return device;
    const removed = await removeDevice(device.value.uuid);
    if (!removed.ok && removed.failure.code !== 'not_found') return removed;
  }
  forgetPush();
  return { ok: true, value: undefined };
}

/** At every start: the gateway forgets devices that it has not seen for 90 days, and its key may have changed. */
export async function renewPush(userUuid: string): Promise<void> {
  const key = await readPushKey();
  if (!key.ok || key.value.public_key === null) return;
  if (pushState(userUuid, key.value.public_key) !== 'on') return;
  const subscription = await unlessLeft(subscribe(key.value.public_key).catch(() => undefined));
  if (subscription !== undefined) await registerDevice(JSON.stringify(subscription));
}

async function subscribe(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register('/push-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch {
    // The subscription of this browser has another key.
    await (await pushManager.getSubscription())?.unsubscribe();
    return await pushManager.subscribe(options);
  }
}
