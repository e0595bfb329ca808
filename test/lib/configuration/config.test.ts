import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ConfigError, contradictions, readConfig } from '../../../src/lib/configuration/config.ts';
import { Environment } from '../../../src/lib/configuration/environment.ts';

const secret = () => randomBytes(32).toString('base64url');
const fieldKey = () => randomBytes(32).toString('base64');

/** The least that a production app needs. */
const production = {
  DATABASE_URL: 'postgresql://dermagate_app:pw@db.internal:5432/dermagate?sslmode=verify-full',
  AI_SERVICE_URL: 'https://ai.internal/v1',
  STORAGE_ACCOUNT_URL: 'https://images.blob.core.windows.net',
  SECRET_KEY: secret(),
  PASSWORD_PEPPER: secret(),
  FIELD_ENCRYPTION_KEY: fieldKey(),
} as const;

const development = {
  ...production,
  AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
  STORAGE_CONNECTION_STRING: 'UseDevelopmentStorage=true',
};

type Values = Record<string, string | undefined>;

function refused(environment: Values): ConfigError {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error as ConfigError;
  }
  throw new Error('was accepted');
}

const wrongKeys = (environment: Values) => refused(environment).problems.map(({ key }) => key);

describe('defaults', () => {
  test('the least that production needs is enough', () => {
    expect(readConfig(production)).toMatchObject({
      production: true,
      STORAGE_CONTAINER: 'images',
      BCRYPT_COST: 12,
      CORS_ORIGINS: [],
      SELF_REGISTRATION_ROLES: ['patient'],
      PUBLIC_AI_ROUTES: false,
      AI_TIMEOUT_MS: 10_000,
      TRUSTED_PROXY_HOPS: 1,
      LOG_LEVEL: 'info',
      EMERGENCY_NUMBER: '112',
      REFRESH_RACE_SKEW_MS: 250,
      REFRESH_REPLAY_GRACE_SECONDS: 0,
    });
  });

  test.each(['Production', 'Staging', 'development', 'Dev', undefined])(
    'whatever is not "Development" is production: %s',
    (name) => {
      expect(readConfig({ ...production, AZURE_FUNCTIONS_ENVIRONMENT: name }).production).toBe(true);
      expect(readConfig(development).production).toBe(false);
    },
  );

  test('an empty value counts as not set, as in the Azure portal', () => {
    expect(readConfig({ ...production, BCRYPT_COST: '', AI_SERVICE_KEY: '' })).toMatchObject({
      BCRYPT_COST: 12,
    });
    expect(readConfig({ ...production, AI_SERVICE_KEY: '' }).AI_SERVICE_KEY).toBeUndefined();
    expect(wrongKeys({ ...production, SECRET_KEY: '' })).toEqual(['SECRET_KEY']);
  });

  test('variables of others are none of our business', () => {
    expect(readConfig({ ...production, PATH: '/usr/bin', WEBSITE_SITE_NAME: 'x' })).not.toHaveProperty(
      'PATH',
    );
  });
});

describe('lists', () => {
  test('are split at commas, white space does not matter', () => {
    const config = readConfig({
      ...production,
      CORS_ORIGINS: ' https://a.example , http://localhost:5173,, ',
    });
    expect(config.CORS_ORIGINS).toEqual(['https://a.example', 'http://localhost:5173']);
  });

  test('an empty list of roles closes self-registration', () => {
    expect(readConfig({ ...production, SELF_REGISTRATION_ROLES: ',' }).SELF_REGISTRATION_ROLES).toEqual([]);
  });
});

describe('what is wrong is named', () => {
  test('all of it at once, missing keys too', () => {
    expect(wrongKeys({}).toSorted()).toEqual([
      'AI_SERVICE_URL',
      'DATABASE_URL',
      'FIELD_ENCRYPTION_KEY',
      'PASSWORD_PEPPER',
      'SECRET_KEY',
      'STORAGE_CONNECTION_STRING',
    ]);
    const values = {
      ...development,
      AI_TIMEOUT_MS: 'soon',
      SECRET_KEY: 'short',
      CORS_ORIGINS: '*',
      LOG_LEVEL: 'loud',
    };
    expect(wrongKeys(values).toSorted()).toEqual([
      'AI_TIMEOUT_MS',
      'CORS_ORIGINS',
      'LOG_LEVEL',
      'SECRET_KEY',
    ]);
  });

  test('rules between keys speak although a third key is wrong', () => {
    const keys = wrongKeys({ ...production, LOG_LEVEL: 'loud', SELF_REGISTRATION_ROLES: 'admin' });
    expect(keys.toSorted()).toEqual(['LOG_LEVEL', 'SELF_REGISTRATION_ROLES']);
  });

  test.each<[string, string]>([
    ['DATABASE_URL', 'mysql://u:hunter2@h/d'],
    ['DATABASE_URL', 'hunter2'],
    ['AI_SERVICE_URL', 'ftp://hunter2.example'],
    ['AI_SERVICE_URL', 'ai.hunter2.example'],
    ['AI_SERVICE_URL', 'https://gateway:hunter2@ai.example'],
    ['AI_SERVICE_URL', 'https://hunter2@ai.example/v1'],
    ['STORAGE_ACCOUNT_URL', 'hunter2'],
    ['STORAGE_CONTAINER', 'Hunter2'],
    ['STORAGE_CONTAINER', '-a-'],
    ['SECRET_KEY', 'hunter2'],
    ['SECRET_KEY', 'é'.repeat(15)],
    ['SECRET_KEY_PREVIOUS', 'hunter2'],
    ['PASSWORD_PEPPER', 'hunter2'],
    ['FIELD_ENCRYPTION_KEY', 'hunter2'],
    ['FIELD_ENCRYPTION_KEY', randomBytes(31).toString('base64')],
    ['BCRYPT_COST', '3'],
    ['BCRYPT_COST', '16'],
    ['BCRYPT_COST', '12.5'],
    ['BCRYPT_COST', '0x0c'],
    ['BCRYPT_COST', ' 12'],
    ['AI_TIMEOUT_MS', '99'],
    ['AI_TIMEOUT_MS', '120001'],
    ['AI_TIMEOUT_MS', '-1'],
    ['AI_TIMEOUT_MS', '1e4'],
    ['PUBLIC_AI_ROUTES', 'yes'],
    ['PUBLIC_AI_ROUTES', 'TRUE'],
    ['PUBLIC_AI_ROUTES', '1'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://*.hunter2.example'],
    ['CORS_ORIGINS', 'https://hunter2.example/'],
    ['CORS_ORIGINS', 'https://hunter2.example/app'],
    ['CORS_ORIGINS', 'https://HUNTER2.example'],
    ['CORS_ORIGINS', 'https://hunter2.example:443'],
    ['CORS_ORIGINS', 'https://user@hunter2.example'],
    ['CORS_ORIGINS', 'hunter2.example'],
    ['CORS_ORIGINS', 'null'],
    ['CORS_ORIGINS', 'https://a.example,file:///hunter2'],
    ['SELF_REGISTRATION_ROLES', 'patient,hunter2'],
    ['SELF_REGISTRATION_ROLES', 'Patient'],
    ['IMAGE_URL_HOSTS', 'https://hunter2.example'],
    ['IMAGE_URL_HOSTS', 'hunter2.example/path'],
    ['EMERGENCY_NUMBER', 'hunter2'],
    ['EMERGENCY_NUMBER', '1'],
    ['EMERGENCY_NUMBER', '+1'],
    ['EMERGENCY_NUMBER', ' 112'],
    ['EMERGENCY_NUMBER', '112-'],
    ['EMERGENCY_NUMBER', '1--2'],
    ['EMERGENCY_NUMBER', '11+2'],
    ['EMERGENCY_NUMBER', '112\n'],
    ['EMERGENCY_NUMBER', '112;postd=9'],
    ['EMERGENCY_NUMBER', '١١٢'],
    ['EMERGENCY_NUMBER', '1'.repeat(21)],
    ['CRISIS_LINE', 'tel:116123'],
    ['CRISIS_LINE', '--'],
    ['TRUSTED_PROXY_HOPS', '9'],
    ['FRONT_DOOR_ID', 'hunter2'],
    ['FRONT_DOOR_ID', '00000000-0000-0000-0000-000000000000'],
    ['FRONT_DOOR_ID', '{55ce4ed1-4b06-4bf1-b40e-4638452104da}'],
    ['FRONT_DOOR_ID', '55ce4ed14b064bf1b40e4638452104da'],
    ['LOG_LEVEL', 'hunter2'],
    ['PG_POOL_MAX', '0'],
    ['PG_POOL_MAX', '51'],
    ['PG_USER_CONNECTIONS', '0'],
    ['MAX_INSTANCES', '2001'],
    ['REFRESH_RACE_SKEW_MS', '10001'],
    ['REFRESH_REPLAY_GRACE_SECONDS', '301'],
    ['MAIL_URL', 'https://hunter2.example'],
    ['MAIL_URL', 'smtp://user:hunter2@mail.example/path'],
    ['PORTAL_URL', 'hunter2'],
  ])('%s: %j, without its value', (key, value) => {
    const { problems, message } = refused({
      ...development,
      MAIL_FROM: 'no-reply@example.org',
      [key]: value,
    });
    expect(problems.map((problem) => problem.key)).toEqual([key]);
    expect(message).toMatch(new RegExp(`^The configuration is not usable:\\n  ${key} .+$`));
    expect(message.toLowerCase()).not.toContain('hunter2');
  });

  test.each(['112', '00', '116 123', '+44 20 7946 0018', '0800-111-0-111', '1'.repeat(20)])(
    'a telephone number may be written as people write it: %s',
    (number) => {
      const config = readConfig({ ...production, EMERGENCY_NUMBER: number, CRISIS_LINE: number });
      expect(config).toMatchObject({ EMERGENCY_NUMBER: number, CRISIS_LINE: number });
    },
  );

  test('without a crisis line none is named', () => {
    expect(readConfig(production).CRISIS_LINE).toBeUndefined();
    expect(readConfig({ ...production, CRISIS_LINE: '' }).CRISIS_LINE).toBeUndefined();
  });

  test('a key of 32 bytes is long enough, counted in UTF-8', () => {
    expect(readConfig({ ...development, SECRET_KEY: 'é'.repeat(16) }).SECRET_KEY).toHaveLength(16);
  });

  test('storage needs an account or a connection string', () => {
    expect(wrongKeys({ ...production, STORAGE_ACCOUNT_URL: undefined })).toEqual([
      'STORAGE_CONNECTION_STRING',
    ]);
  });

  describe('all instances together leave connections to others', () => {
    const server = { ...production, PG_USER_CONNECTIONS: '100' };

    test('80 of 100 may be held', () => {
      expect(readConfig({ ...server, MAX_INSTANCES: '40', PG_POOL_MAX: '2' }).MAX_INSTANCES).toBe(40);
      expect(wrongKeys({ ...server, MAX_INSTANCES: '41', PG_POOL_MAX: '2' })).toEqual(['PG_POOL_MAX']);
      expect(wrongKeys({ ...server, MAX_INSTANCES: '9' })).toEqual(['PG_POOL_MAX']);
    });

    test('the refusal names the allowed number for each', () => {
      const { message } = refused({ ...server, MAX_INSTANCES: '20', PG_POOL_MAX: '5' });
      expect(message).toContain('PG_POOL_MAX must be at most 4: ');
    });

    test('in development too, and not without the number of instances', () => {
      const local = { ...development, PG_USER_CONNECTIONS: '10' };
      expect(wrongKeys({ ...local, MAX_INSTANCES: '1', PG_POOL_MAX: '9' })).toEqual(['PG_POOL_MAX']);
      expect(wrongKeys({ ...local, PG_POOL_MAX: '1' })).toEqual(['MAX_INSTANCES']);
    });
  });

  test('live counts have one way to their service', () => {
    const key = `AccessKey=${secret()}`;
    const both = {
      WEBPUBSUB_CONNECTION_STRING: `Endpoint=https://live.webpubsub.azure.com;${key};Version=1.0;`,
      WEBPUBSUB_ENDPOINT: 'https://live.webpubsub.azure.com',
    };
    expect(wrongKeys({ ...development, ...both })).toEqual(['WEBPUBSUB_ENDPOINT']);
    expect(() => readConfig({ ...development, ...both, WEBPUBSUB_ENDPOINT: '' })).not.toThrow();
  });

  test('verified addresses and routes without a token contradict each other, which the log names', () => {
    const keys = (verified: string, open: string) =>
      [
        ...contradictions(
          readConfig({ ...development, REQUIRE_VERIFIED_EMAIL: verified, PUBLIC_AI_ROUTES: open }),
        ),
      ].map(({ key }) => key);
    expect(keys('true', 'true')).toEqual(['REQUIRE_VERIFIED_EMAIL']);
    expect([keys('true', 'false'), keys('false', 'true')]).toEqual([[], []]);
  });

  test('mail needs a sender', () => {
    expect(wrongKeys({ ...development, MAIL_URL: 'smtp://mail.example' })).toEqual(['MAIL_FROM']);
  });
});

describe('production is stricter than development', () => {
  const random = production.SECRET_KEY;
  test.each<[string, Values]>([
    ['BCRYPT_COST', { BCRYPT_COST: '9' }],
    ['REQUIRE_VERIFIED_EMAIL', { REQUIRE_VERIFIED_EMAIL: 'true' }],
    ['SELF_REGISTRATION_ROLES', { SELF_REGISTRATION_ROLES: 'patient,admin' }],
    ['SECRET_KEY', { SECRET_KEY: 'a'.repeat(64) }],
    ['SECRET_KEY', { SECRET_KEY: 'change-me-change-me-change-me-please' }],
    ['SECRET_KEY', { SECRET_KEY: 'this-is-an-example-key-of-our-readme' }],
    [
      'SECRET_KEY_PREVIOUS',
      { SECRET_KEY_PREVIOUS: '0123456701234567012345670123456701234567'.replaceAll('7', '0') },
    ],
    ['PASSWORD_PEPPER', { PASSWORD_PEPPER: random }],
    ['FIELD_ENCRYPTION_KEY', { FIELD_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') }],
    [
      'PORTAL_URL',
      { MAIL_URL: 'smtps://mail.example', MAIL_FROM: 'a@example.org', PORTAL_URL: 'http://portal.example' },
    ],
  ])('%s: %j', (key, values) => {
    expect(wrongKeys({ ...production, ...values })).toEqual([key]);
    expect(() => readConfig({ ...development, ...values })).not.toThrow();
  });

  test('an admin may be let in on purpose', () => {
    const config = readConfig({
      ...production,
      SELF_REGISTRATION_ROLES: 'patient,admin',
      ALLOW_ADMIN_SELF_REGISTRATION: 'true',
    });
    expect(config.SELF_REGISTRATION_ROLES).toEqual(['patient', 'admin']);
  });
});

test('every key has a description, which the documentation publishes', () => {
  const undescribed = Object.entries(Environment.shape).filter(([, schema]) => {
    return (schema.meta()?.description ?? '').length < 10;
  });
  expect(undescribed.map(([key]) => key)).toEqual([]);
});

test.each(['SECRET_KEY', 'PASSWORD_PEPPER', 'FIELD_ENCRYPTION_KEY', 'AI_SERVICE_KEY', 'MAIL_URL'])(
  'a Key Vault reference that Azure could not resolve is no %s: its text can be guessed',
  (key) => {
    const text = '@Microsoft.KeyVault(SecretUri=https://vault.example.vault.azure.net/secrets/one/)';
    const values = {
      ...production,
      MAIL_FROM: 'a@example.org',
      PORTAL_URL: 'https://portal.example.org',
      [key]: text,
    };
    expect(wrongKeys(values)).toEqual([key]);
  },
);

test.each([
  '@microsoft.keyvault(VaultName=vault;SecretName=signing)',
  ' @Microsoft.KeyVault(VaultName=vault;SecretName=signing)',
  '@Microsoft.AppConfiguration(Endpoint=https://x.azconfig.io; Key=signing)',
])('nor is one that Azure does not even try to resolve: %s', (text) => {
  expect(wrongKeys({ ...production, SECRET_KEY: text })).toEqual(['SECRET_KEY']);
});

test('hosts of images are compared in lower case, as a browser names them', () => {
  const config = readConfig({ ...production, IMAGE_URL_HOSTS: 'Images.Example.org, cdn.example' });
  expect(config.IMAGE_URL_HOSTS).toEqual(['images.example.org', 'cdn.example']);
});

test.each([
  ['AI_SERVICE_KEY', 'key\n'],
  ['AI_SERVICE_KEY', 'two words'],
  ['ELIGIBILITY_SERVICE_KEY', 'schlüssel'],
  ['AI_SERVICE_URL', 'https://ai.example.org/api?code=key'],
  ['ELIGIBILITY_SERVICE_URL', 'https://members.example.org/#top'],
  ['STORAGE_CONNECTION_STRING', 'images'],
  ['STORAGE_CONNECTION_STRING', 'AccountName=images'],
  ['STORAGE_CONNECTION_STRING', 'AccountName=images;AccountKey=a2V5'],
  ['STORAGE_CONNECTION_STRING', 'DefaultEndpointsProtocol=https;AccountName=;AccountKey=a2V5'],
])('%s %j would make every request fail: refused', (key, value) => {
  const services = { ELIGIBILITY_SERVICE_URL: 'https://members.example.org' };
  expect(wrongKeys({ ...production, ...services, [key]: value })).toContain(key);
});

test.each([
  'DefaultEndpointsProtocol=https;AccountName=images;AccountKey=a2V5/+==;EndpointSuffix=core.windows.net',
  'DefaultEndpointsProtocol=https; AccountName=images; AccountKey=a2V5',
  'BlobEndpoint=https://images.blob.core.windows.net;SharedAccessSignature=sv=2024&sig=x',
])('a connection string %j starts', (value) => {
  expect(readConfig({ ...production, STORAGE_CONNECTION_STRING: value }).STORAGE_CONNECTION_STRING).toBe(
    value,
  );
});

test('a key of the eligibility service needs its address', () => {
  expect(wrongKeys({ ...production, ELIGIBILITY_SERVICE_KEY: 'a-key' })).toEqual(['ELIGIBILITY_SERVICE_URL']);
  expect(wrongKeys({ ...production, ELIGIBILITY_SERVICE_URL: 'http://members.example.org' })).toEqual([
    'ELIGIBILITY_SERVICE_URL',
  ]);
});
