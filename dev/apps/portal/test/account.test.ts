import { afterEach, expect, test, vi } from 'vitest';
import { deviceName } from '../src/account/settings/device-name.ts';
import { forgetPush, readPushMarker, writePushMarker } from '../src/account/push/push-marker.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    'Chrome · Windows',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge · Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari · iPhone'],
  ['Mozilla/5.0 (Linux; Android 15) Gecko/140 Firefox/140.0', 'Firefox · Android'],
  ['curl/8.1', undefined],
  [null, undefined],
])('the user agent %s is called %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

test('a subscription to push messages ends with the sign-out of the user who made it', async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  const ended: string[] = [];
  const subscription = { unsubscribe: async () => ended.push('subscription') };
  const registration = {
    pushManager: { getSubscription: async () => subscription },
    unregister: async () => ended.push('worker'),
  };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
  forgetPush();
  await Promise.resolve();
  expect(ended).toEqual([]);

  writePushMarker('me');
  expect(readPushMarker()).toBe('me');
  forgetPush();
  expect(readPushMarker()).toBeUndefined();
  await vi.waitFor(() => expect(ended).toEqual(['subscription', 'worker']));
});
