/** Whose push messages this browser gets: a subscription outlives a session, and must not follow the next user. */
const KEY = 'dermagate.push';

export const readPushMarker = (): string | undefined => localStorage.getItem(KEY) ?? undefined;

export const writePushMarker = (userUuid: string): void => localStorage.setItem(KEY, userUuid);

/** With the sign-out the gateway forgets the device; here the subscription ends. */
export function forgetPush(): void {
  if (readPushMarker() === undefined) return;
  localStorage.removeItem(KEY);
  void endSubscription().catch(() => {});
}

async function endSubscription(): Promise<void> {
  await (await currentSubscription())?.unsubscribe();
  await (await workerRegistration())?.unregister();
}

/** Of this browser at its push service; null or undefined where it has none. */
export const currentSubscription = async (): Promise<PushSubscription | null | undefined> =>
  await (await workerRegistration())?.pushManager.getSubscription();

const workerRegistration = () => navigator.serviceWorker.getRegistration('/');
