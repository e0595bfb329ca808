import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/lib/configuration/config.ts';
import { readServiceAccount } from '../../../src/lib/push/push-keys.ts';

const key = () => randomBytes(32).toString('base64');
const whole = {
  DATABASE_URL: 'postgresql://app@db.example.org:5432/dermagate?sslmode=verify-full',
  AI_SERVICE_URL: 'https://ai.example.org',
  STORAGE_ACCOUNT_URL: 'https://images.blob.core.windows.net',
  SECRET_KEY: key(),
  PASSWORD_PEPPER: key(),
  FIELD_ENCRYPTION_KEY: key(),
};
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = {
  type: 'service_account',
  project_id: 'clinic-1',
  client_email: 'push@clinic-1.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
};
const push = {
  FCM_SERVICE_ACCOUNT: JSON.stringify(account),
  VAPID_PRIVATE_KEY: Buffer.alloc(32, 7).toString('base64url'),
  VAPID_SUBJECT: 'mailto:push@clinic.example',
};

/** The refused keys with what is said of them. */
function refusals(changes: Record<string, string | undefined>): Record<string, string> {
  try {
    readConfig({ ...whole, ...push, ...changes });
    return {};
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return Object.fromEntries(error.problems.map(({ key: name, message }) => [name, message]));
  }
}

test('push messages need no configuration; with one, production starts', () => {
  const none = { FCM_SERVICE_ACCOUNT: undefined, VAPID_PRIVATE_KEY: undefined, VAPID_SUBJECT: undefined };
  expect(refusals(none)).toEqual({});
  expect(refusals({})).toEqual({});
  expect(readServiceAccount(push.FCM_SERVICE_ACCOUNT)).toMatchObject({
    token_uri: 'https://oauth2.googleapis.com/token',
  });
});

test.each([
  ['FCM_SERVICE_ACCOUNT', 'not JSON'],
  ['FCM_SERVICE_ACCOUNT', JSON.stringify({ ...account, private_key: 'secret-part' })],
  ['FCM_SERVICE_ACCOUNT', JSON.stringify({ ...account, project_id: '../../other' })],
  ['FCM_SERVICE_ACCOUNT', JSON.stringify({ ...account, token_uri: 'http://tokens.example.org/' })],
  ['FCM_URL', 'http://fcm.example.org'],
  ['VAPID_PRIVATE_KEY', 'too-short'],
  ['VAPID_PRIVATE_KEY', Buffer.alloc(32).toString('base64url')],
  ['VAPID_SUBJECT', undefined],
  ['VAPID_SUBJECT', 'push@clinic.example'],
  ['WEB_PUSH_HOSTS', 'fcm.googleapis.com,https://push.example.org'],
  ['WEB_PUSH_HOSTS', '*'],
  ['WEB_PUSH_HOSTS', 'fcm.googleapis.com,localhost'],
  ['BACKOFFICE_URL', 'http://office.example.org'],
])('%s is refused as %s, and not quoted', (name, value) => {
  const found = refusals({ [name]: value });
  expect(Object.keys(found)).toEqual([name]);
  expect(found[name]).not.toContain('secret-part');
});
