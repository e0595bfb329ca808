import { expect, test } from 'vitest';
import { readServiceAccount } from '../../../src/lib/push/push-keys.ts';
import { collapseKey, PushDelayed, PushGone, type PushMessage } from '../../../src/lib/push/push-message.ts';
import { createPushSender } from '../../../src/lib/push/push-sender.ts';
import { readRetryAfter } from '../../../src/lib/push/push-transport.ts';
import { isAllowedEndpoint, readSubscription } from '../../../src/lib/push/subscription.ts';
import { afterwards } from '../../support/cleanup.ts';
import { pushProviders } from '../../support/push-providers.ts';

const providers = await pushProviders();
const { settings } = providers;
const account = readServiceAccount(settings['FCM_SERVICE_ACCOUNT'] ?? '');
if (account === undefined) throw new Error('the stand-in has a service account');

/** A sender with a clock of its own, which remembers nothing of earlier tests. */
function sender() {
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const made = createPushSender({
    fcm: { account: account as NonNullable<typeof account>, url: settings['FCM_URL'] ?? '' },
    web: {
      privateKey: settings['VAPID_PRIVATE_KEY'] ?? '',
      subject: settings['VAPID_SUBJECT'] ?? '',
      hosts: ['127.0.0.1'],
    },
    clock,
  });
  afterwards(made.close);
  return { ...made, later: (seconds: number) => void (aheadMs += seconds * 1000) };
}

const message: PushMessage = {
  key: 'news:push:1',
  title: 'יש חדש',
  body: 'There is news',
  language: 'he',
  direction: 'rtl',
  url: 'https://portal.example/cases/1',
  data: { case_uuid: '1' },
  isUrgent: false,
  expiresAt: new Date(Date.now() + 3600_000),
};
const phone = (token = 'phone-token-1') => ({ platform: 'android' as const, token });
const browser = (name: string) => ({ platform: 'web' as const, token: providers.subscribe(name) });

test('a phone and a browser get the message, each under the identity of its key', async () => {
  await providers.behave({ kind: 'accepts' });
  const push = sender();
  await push.send(phone(), message);
  await push.send({ ...phone('iphone'), platform: 'ios' }, { ...message, isUrgent: true });
  await push.send(browser('firefox'), message);
  expect(providers.messages).toMatchObject([
    { provider: 'fcm', to: 'phone-token-1', title: message.title, isUrgent: false },
    { provider: 'fcm', to: 'iphone', isUrgent: true },
    { provider: 'web', to: 'firefox', title: message.title, body: message.body, isUrgent: false },
  ]);
  for (const { identity, ttlSeconds } of providers.messages) {
    expect(identity).toBe(collapseKey(message.key));
    expect(ttlSeconds).toBeGreaterThan(3500);
    expect(ttlSeconds).toBeLessThanOrEqual(3600);
  }
  expect(collapseKey('another')).not.toBe(collapseKey(message.key));
  // One access token serves an hour.
  expect(providers.tokensIssued()).toBe(1);
  push.later(3600);
  await push.send(phone(), message);
  expect(providers.tokensIssued()).toBe(2);
});

test('a token that is gone, or is none, says so; an address that is wrong is no token that is gone', async () => {
  await providers.behave({ kind: 'accepts' });
  const push = sender();
  providers.gone.add('old-phone').add('old-browser');
  providers.malformed.set('no-token', 'code').set('no-token-either', 'field');
  for (const device of [
    phone('old-phone'),
    phone('no-token'),
    phone('no-token-either'),
    browser('old-browser'),
  ]) {
    await expect(push.send(device, message)).rejects.toBeInstanceOf(PushGone);
  }
  // The message is to blame, not the token.
  await expect(push.send(phone(), { ...message, title: '' })).rejects.toMatchObject({ code: 'rejected_400' });
  const elsewhere = createPushSender({
    fcm: { account: { ...account, project_id: 'another' }, url: settings['FCM_URL'] ?? '' },
    web: undefined,
    clock: { now: () => new Date() },
  });
  afterwards(elsewhere.close);
  await expect(elsewhere.send(phone(), message)).rejects.not.toBeInstanceOf(PushGone);
  expect(elsewhere.serves('web')).toBe(false);
  await expect(elsewhere.send(browser('chrome'), message)).rejects.toThrow('no provider');
});

test('a token of another project’s app stays: the key file may be the wrong one', async () => {
  await providers.behave({ kind: 'accepts' });
  providers.strangers.add('foreign-phone');
  const push = sender();
  await expect(push.send(phone('foreign-phone'), message)).rejects.toMatchObject({ code: 'delayed_403' });
  // Others are not held up by it.
  await push.send(phone(), message);
});

test('a provider that throttles is left alone until it allows the next request', async () => {
  const push = sender();
  await providers.behave({ kind: 'throttles', seconds: 120 });
  const refused = await push.send(phone(), message).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PushDelayed);
  expect(refused).toMatchObject({ code: 'delayed_429', retryAfterSeconds: 120 });
  await providers.behave({ kind: 'accepts' });
  const before = providers.requests();
  await expect(push.send(phone('other'), message)).rejects.toMatchObject({ code: 'delayed_429' });
  expect(providers.requests()).toBe(before);
  // Browsers have push services of their own.
  await push.send(browser('safari'), message);
  push.later(121);
  await push.send(phone(), message);
});

test('a provider that fails is asked again when it says, by a date as well, or after ten seconds', async () => {
  await providers.behave({ kind: 'fails', seconds: 90 });
  const dated = await sender()
    .send(phone(), message)
    .catch((error: unknown) => error);
  expect((dated as PushDelayed).retryAfterSeconds).toBeGreaterThan(85);
  await providers.behave({ kind: 'fails' });
  await expect(sender().send(browser('edge'), message)).rejects.toMatchObject({
    code: 'delayed_503',
    retryAfterSeconds: 10,
  });
  await providers.behave({ kind: 'drops_reply' });
  await expect(sender().send(phone(), message)).rejects.not.toBeInstanceOf(PushGone);
  await providers.behave({ kind: 'refuses_connections' });
  await expect(sender().send(phone(), message)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('an access token that the provider no longer takes is replaced', async () => {
  await providers.behave({ kind: 'accepts' });
  const push = sender();
  await push.send(phone(), message);
  providers.revokeTokens();
  await expect(push.send(phone(), message)).rejects.toMatchObject({ code: 'delayed_401' });
  await push.send(phone(), message);
});

test('requests go to push services only', () => {
  const hosts = ['fcm.googleapis.com', '*.push.services.mozilla.com'];
  const allowed = (endpoint: string) => isAllowedEndpoint(endpoint, hosts);
  expect(allowed('https://fcm.googleapis.com/fcm/send/abc')).toBe(true);
  expect(allowed('https://updates.push.services.mozilla.com/wpush/v2/abc')).toBe(true);
  for (const endpoint of [
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/',
    'https://user@fcm.googleapis.com/',
    'https://fcm.googleapis.com.evil.example/',
    'https://evilpush.services.mozilla.com/',
    'https://push.services.mozilla.com/',
    'https://169.254.169.254/metadata',
    'https://127.0.0.1/',
    'http://localhost:7071/',
    'https://[::1]/',
    'no address',
  ]) {
    expect(allowed(endpoint), endpoint).toBe(false);
  }
});

test('a subscription is read only when it is whole', () => {
  const whole = JSON.parse(providers.subscribe('chrome')) as { endpoint: string; keys: object };
  expect(readSubscription(JSON.stringify(whole))?.endpoint).toBe(whole.endpoint);
  for (const broken of [
    '',
    '{}',
    'null',
    JSON.stringify({ ...whole, keys: { ...whole.keys, auth: 'AA' } }),
  ]) {
    expect(readSubscription(broken)).toBeUndefined();
  }
});

test('Retry-After is read as seconds and as a date', () => {
  const now = new Date('2026-11-23T10:00:00Z');
  expect(readRetryAfter('30', now)).toBe(30);
  expect(readRetryAfter('Mon, 23 Nov 2026 10:01:00 GMT', now)).toBe(60);
  expect(readRetryAfter('Mon, 23 Nov 2026 09:00:00 GMT', now)).toBe(0);
  expect(readRetryAfter('soon', now)).toBeUndefined();
  expect(readRetryAfter('', now)).toBeUndefined();
});
