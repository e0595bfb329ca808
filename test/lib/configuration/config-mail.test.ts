import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/lib/configuration/config.ts';

const fieldKey = randomBytes(32).toString('base64');
const environment = {
  DATABASE_URL: 'postgresql://app@db.example/dermagate',
  AI_SERVICE_URL: 'https://ai.example',
  STORAGE_ACCOUNT_URL: 'https://account.blob.core.windows.net',
  SECRET_KEY: randomBytes(32).toString('base64url'),
  PASSWORD_PEPPER: randomBytes(32).toString('base64url'),
  FIELD_ENCRYPTION_KEY: fieldKey,
};
const mail = {
  MAIL_URL: 'smtps://user:pa%40ss@mail.example:465',
  MAIL_FROM: 'no-reply@clinic.example',
  PORTAL_URL: 'https://portal.example',
};
type Changes = Record<string, string | undefined>;

/** The keys that are refused, with what is said of them. */
function refusals(changes: Changes, development = false): Record<string, string> {
  try {
    readConfig({
      ...environment,
      ...(development && { AZURE_FUNCTIONS_ENVIRONMENT: 'Development' }),
      ...changes,
    });
    return {};
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const value of Object.values(changes)) {
      if (value !== undefined && value.length > 3) expect(error.message).not.toContain(value);
    }
    return Object.fromEntries(error.problems.map(({ key, message }) => [key, message]));
  }
}

describe('mail', () => {
  test('is optional; with it come sender and portal', () => {
    expect(readConfig(environment)).toMatchObject({ PORTAL_URL: 'http://localhost:5173' });
    expect(readConfig(environment).MAIL_URL).toBeUndefined();
    expect(readConfig({ ...environment, ...mail })).toMatchObject(mail);
  });

  test('without a sender is refused, in development too', () => {
    const { MAIL_URL } = mail;
    expect(refusals({ MAIL_URL, PORTAL_URL: mail.PORTAL_URL })).toEqual({
      MAIL_FROM: 'is required with MAIL_URL',
    });
    expect(refusals({ MAIL_URL }, true)).toEqual({ MAIL_FROM: 'is required with MAIL_URL' });
  });

  test.each([
    'mail.example',
    'http://mail.example',
    'smtp://',
    'smtp://user@mail.example',
    'smtp://mail.example/inbox',
    'smtp://mail.example?tls=no',
    'smtp://mail.example#x',
    'smtp://mail.example:70000',
    'smtp:mail.example',
  ])('MAIL_URL %s is refused', (MAIL_URL) => {
    expect(Object.keys(refusals({ ...mail, MAIL_URL }))).toEqual(['MAIL_URL']);
  });

  test.each([
    'clinic',
    'Clinic <no-reply@clinic.example>',
    'a@clinic.example, b@clinic.example',
    'a@clinic.example\r\nBcc: eve@example.org',
    'a@',
  ])('MAIL_FROM %j is refused', (MAIL_FROM) => {
    expect(Object.keys(refusals({ ...mail, MAIL_FROM }))).toEqual(['MAIL_FROM']);
  });

  test.each([
    'portal',
    'ftp://portal.example',
    'https://portal.example?a=b',
    'https://portal.example#a',
    'https://a:b@portal.example',
  ])('PORTAL_URL %s is refused', (PORTAL_URL) => {
    expect(Object.keys(refusals({ ...mail, PORTAL_URL }))).toEqual(['PORTAL_URL']);
  });

  test('in production links in mails are https, on a laptop they need not be', () => {
    const PORTAL_URL = 'http://portal.example';
    expect(refusals({ ...mail, PORTAL_URL })).toEqual({
      PORTAL_URL: 'must be an https address in production',
    });
    expect(refusals({ ...mail, PORTAL_URL: undefined })).toHaveProperty('PORTAL_URL');
    expect(refusals({ ...mail, PORTAL_URL }, true)).toEqual({});
  });
});

describe('FIELD_ENCRYPTION_KEY', () => {
  test('is required everywhere', () => {
    expect(refusals({ FIELD_ENCRYPTION_KEY: undefined })).toEqual({ FIELD_ENCRYPTION_KEY: 'is required' });
    expect(refusals({ FIELD_ENCRYPTION_KEY: '' }, true)).toEqual({ FIELD_ENCRYPTION_KEY: 'is required' });
  });

  test.each([
    ['text', 'a text that is long enough to be one'],
    ['31 bytes', randomBytes(31).toString('base64')],
    ['hex', randomBytes(32).toString('hex')],
    ['base64url', Buffer.alloc(32, 255).toString('base64url')],
  ])('as %s is refused', (_, key) => {
    const message = 'must be base64 of 32 bytes';
    expect(refusals({ FIELD_ENCRYPTION_KEY: key, FIELD_ENCRYPTION_KEY_PREVIOUS: key })).toEqual({
      FIELD_ENCRYPTION_KEY: message,
      FIELD_ENCRYPTION_KEY_PREVIOUS: message,
    });
  });

  test.each([Buffer.alloc(32), Buffer.alloc(32, 'ab'), Buffer.from('change-me-change-me-change-me-12')])(
    'of sample bytes is refused in production (%#)',
    (bytes) => {
      const key = bytes.toString('base64');
      expect(refusals({ FIELD_ENCRYPTION_KEY: key })).toHaveProperty('FIELD_ENCRYPTION_KEY');
      expect(refusals({ FIELD_ENCRYPTION_KEY_PREVIOUS: key })).toHaveProperty(
        'FIELD_ENCRYPTION_KEY_PREVIOUS',
      );
      expect(refusals({ FIELD_ENCRYPTION_KEY: key }, true)).toEqual({});
    },
  );

  test('must not be another secret again', () => {
    expect(refusals({ SECRET_KEY: fieldKey })).toHaveProperty('FIELD_ENCRYPTION_KEY');
    expect(refusals({ PASSWORD_PEPPER: fieldKey })).toHaveProperty('FIELD_ENCRYPTION_KEY');
  });
});

test('wrong keys of all kinds are named at once, each once', () => {
  const wrong = { MAIL_URL: mail.MAIL_URL, MAIL_FROM: 'x', FIELD_ENCRYPTION_KEY: 'x', DATABASE_URL: 'x' };
  expect(Object.keys(refusals(wrong)).toSorted()).toEqual([
    'DATABASE_URL',
    'FIELD_ENCRYPTION_KEY',
    'MAIL_FROM',
    'PORTAL_URL',
  ]);
});
