import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/lib/configuration/config.ts';
import { tempFolder } from '../../support/temp-folder.ts';

// What production refuses because it would carry health data in the clear, or let in who was not meant to be let in.

const secret = () => randomBytes(32).toString('base64');
const production = {
  DATABASE_URL: 'postgresql://dermagate_app:pw@db.internal:5432/dermagate?sslmode=verify-full',
  AI_SERVICE_URL: 'https://ai.internal/v1',
  STORAGE_ACCOUNT_URL: 'https://images.blob.core.windows.net',
  SECRET_KEY: secret(),
  PASSWORD_PEPPER: secret(),
  FIELD_ENCRYPTION_KEY: secret(),
};

type Values = Record<string, string | undefined>;

/** Message by key; none when the app would start. */
function refusals(values: Values, environment = 'Production'): Record<string, string> {
  try {
    readConfig({ ...production, ...values, AZURE_FUNCTIONS_ENVIRONMENT: environment });
    return {};
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const value of Object.values(values)) {
      if (/[:;=]/.test(value ?? '')) expect(error.message).not.toContain(value);
    }
    expect(new Set(error.problems.map(({ key }) => key)).size).toBe(error.problems.length);
    return Object.fromEntries(error.problems.map(({ key, message }) => [key, message]));
  }
}

const refusedKeys = (values: Values) => Object.keys(refusals(values));

describe('addresses without encryption', () => {
  const remote = [
    'http://ai.example',
    'HTTP://ai.example',
    'hTtP://ai.example:443',
    ' http://ai.example',
    'http://10.0.0.4',
    'http://0.0.0.0',
    'http://128.0.0.1',
    'http://[::]',
    'http://[fe80::1]',
    'http://[::ffff:10.0.0.1]',
    'http://localhost.ai.example',
    'http://127.0.0.1.ai.example',
    'http://localhost.',
    'http://notlocalhost',
    'http://bücher.example',
    'http://xn--bcher-kva.example',
    'http://ai.example#https://localhost',
    'http://ai.example/?https://localhost',
  ];
  const local = [
    'http://localhost:8000',
    'http://LOCALHOST',
    'http://127.0.0.1:8000/v1',
    'http://127.8.9.10',
    'http://127.1',
    'http://0x7f.1',
    'http://2130706433',
    'http://[::1]:8000',
    'http://[0:0:0:0:0:0:0:1]',
    'http://[::ffff:127.0.0.1]',
  ];

  test.each(remote)('%j is refused for every service, in production only', (address) => {
    for (const key of ['AI_SERVICE_URL', 'STORAGE_ACCOUNT_URL', 'PORTAL_URL']) {
      const value = key === 'STORAGE_ACCOUNT_URL' ? address : address.replace(/[#?].*/, '');
      expect(refusals({ [key]: value })[key], key).toMatch(/^must be an https address in production/);
      expect(refusals({ [key]: value }, 'Development')).toEqual({});
    }
  });

  test.each(local)('%j is this machine: nothing crosses a network', (address) => {
    expect(refusals({ AI_SERVICE_URL: address, STORAGE_ACCOUNT_URL: address, PORTAL_URL: address })).toEqual(
      {},
    );
  });

  test('https in any spelling starts', () => {
    expect(refusals({ AI_SERVICE_URL: 'HTTPS://ai.example', PORTAL_URL: 'HTTPS://portal.example' })).toEqual(
      {},
    );
  });

  test.each([
    ['http://portal.example'],
    ['https://portal.example,http://portal.example'],
    ['http://localhost:5173,http://192.168.1.7:5173'],
    ['http://xn--bcher-kva.example'],
  ])('CORS_ORIGINS %s is refused in production', (CORS_ORIGINS) => {
    expect(refusals({ CORS_ORIGINS })['CORS_ORIGINS']).toMatch(/^each must be an https origin in production/);
    expect(refusals({ CORS_ORIGINS }, 'Development')).toEqual({});
  });

  test.each(['http://bücher.example', 'HTTP://portal.example', 'http://127.1', 'http://[0:0::1]:80'])(
    'CORS_ORIGINS %s is no origin as a browser sends it, in development either',
    (CORS_ORIGINS) => {
      expect(refusals({ CORS_ORIGINS }, 'Development')).toHaveProperty('CORS_ORIGINS');
    },
  );

  test('CORS_ORIGINS may name a portal under development on a laptop', () => {
    const CORS_ORIGINS =
      'https://portal.example,http://localhost:5173,http://127.0.0.1:5173,http://[::1]:5173';
    expect(readConfig({ ...production, CORS_ORIGINS }).CORS_ORIGINS).toHaveLength(4);
  });

  const account = 'AccountName=images;AccountKey=c2VjcmV0';
  test.each([
    `DefaultEndpointsProtocol=http;${account};EndpointSuffix=core.windows.net`,
    `DefaultEndpointsProtocol=HTTP;${account};EndpointSuffix=core.windows.net`,
    `${account}; DefaultEndpointsProtocol=http ;EndpointSuffix=core.windows.net`,
    `DefaultEndpointsProtocol=https;${account};BlobEndpoint=http://images.example`,
    `DefaultEndpointsProtocol=https;${account};BlobEndpoint=HTTP://images.example/`,
    `DefaultEndpointsProtocol=https;${account};BlobEndpoint=http:images.example`,
    `BlobEndpoint=http://images.example;SharedAccessSignature=sv=1&sig=x`,
    `BlobEndpoint=http://127.0.0.1.example;SharedAccessSignature=sv=1&sig=x`,
    // The library does not know this spelling and takes the protocol.
    `DefaultEndpointsProtocol=http;${account};EndpointSuffix=core.windows.net;blobendpoint=http://127.0.0.1`,
    `DefaultEndpointsProtocol=http;${account};BlobEndpoint=http://127.0.0.1:10000/a;BlobEndpoint=http://images.example`,
    'UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://proxy.example',
  ])('STORAGE_CONNECTION_STRING %s is refused in production', (STORAGE_CONNECTION_STRING) => {
    expect(refusals({ STORAGE_CONNECTION_STRING })).toEqual({
      STORAGE_CONNECTION_STRING: expect.stringContaining('must name https addresses'),
    });
    expect(refusals({ STORAGE_CONNECTION_STRING }, 'Development')).toEqual({});
  });

  test.each([
    'UseDevelopmentStorage=true',
    `DefaultEndpointsProtocol=http;${account};BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;`,
    `DefaultEndpointsProtocol=http;${account};BlobEndpoint=http://[::1]:10000/devstoreaccount1;`,
    `DefaultEndpointsProtocol=https;${account};EndpointSuffix=core.windows.net`,
    `BlobEndpoint=https://images.example;SharedAccessSignature=sv=1&sig=http%3A%2F%2Fx`,
  ])('STORAGE_CONNECTION_STRING %s starts', (STORAGE_CONNECTION_STRING) => {
    expect(refusals({ STORAGE_CONNECTION_STRING, STORAGE_ACCOUNT_URL: undefined })).toEqual({});
  });

  test('telemetry goes over https as well', () => {
    const key = 'InstrumentationKey=0f0e0d0c-1111-4222-8333-944455556666';
    const at = (endpoint: string) => ({
      APPLICATIONINSIGHTS_CONNECTION_STRING: `${key};IngestionEndpoint=${endpoint}`,
    });
    expect(refusedKeys(at('http://ingest.example/'))).toEqual(['APPLICATIONINSIGHTS_CONNECTION_STRING']);
    expect(refusals(at('http://127.0.0.1:4318/'))).toEqual({});
    expect(refusals(at('https://westeurope-5.in.applicationinsights.azure.com/'))).toEqual({});
  });
});

describe('DATABASE_URL', () => {
  const url = (query: string, host = 'db.internal', user = 'app:pw') => ({
    DATABASE_URL: `postgresql://${user}@${host}:5432/dermagate${query === '' ? '' : `?${query}`}`,
  });
  const refused = (values: Values) => refusals(values)['DATABASE_URL'] ?? 'started';

  test.each([
    'sslmode=disable',
    'sslmode=DISABLE',
    'SSLMODE=disable',
    'ssl%6Dode=dis%61ble',
    'sslmode=allow',
    'sslmode=prefer',
    'ssl=0',
    'ssl=false',
    'ssl=False',
    'ssl=no',
    'ssl=off',
    'sslmode=verify-full&sslmode=disable',
    'sslmode=disable&sslmode=verify-full',
    'ssl=true&sslmode=disable',
    'ssl=0&sslmode=verify-full',
    'uselibpqcompat=true&sslmode=disable',
    'uselibpqcompat=true&sslmode=prefer',
  ])('%s waives TLS: refused in production for every server and sign-in', (query) => {
    for (const values of [url(query), url(query, 'localhost'), url(query, 'db.internal', 'id-dermagate')]) {
      expect(refused(values)).toMatch(/^must not waive TLS/);
    }
    expect(refusals(url(query), 'Development')).toEqual({});
  });

  test.each(['', 'sslmode=', 'ssl=', 'SSL=true', 'sslmode=verify-full&sslmode=', 'tls=true'])(
    '%j asks the driver for no TLS: refused for another machine',
    (query) => {
      expect(refused(url(query))).toMatch(/^must ask for TLS/);
      expect(refusals(url(query, '127.0.0.1'))).toEqual({});
    },
  );

  test.each(['sslmode=no-verify', 'ssl=true&sslmode=no-verify', 'uselibpqcompat=true&sslmode=require'])(
    '%s accepts any certificate: refused',
    (query) => {
      expect(refused(url(query))).toMatch(/^must verify the server’s certificate/);
    },
  );

  test('ssl=no-verify is refused like its longer spelling', () => {
    expect(refused(url('ssl=no-verify'))).toMatch(/^must verify/);
  });

  test('a certificate without a name to check is refused', () => {
    const ca = join(tempFolder(), 'ca.pem');
    writeFileSync(ca, 'a certificate');
    const query = `uselibpqcompat=true&sslmode=verify-ca&sslrootcert=${encodeURIComponent(ca)}`;
    expect(refused(url(query))).toMatch(/^must verify/);
    expect(refusals(url(`sslmode=verify-full&sslrootcert=${encodeURIComponent(ca)}`))).toEqual({});
  });

  test.each([
    'sslmode=verify-full&sslrootcert=/nowhere/hunter2.pem',
    'uselibpqcompat=true&sslmode=verify-ca',
  ])('%s is refused by the driver, without a word of it in the message', (query) => {
    expect(refused(url(query))).toBe('is not usable: the driver refuses its TLS parameters');
  });

  test.each([
    'sslmode=verify-full',
    'sslmode=require',
    'sslmode=verify-ca',
    'ssl=true',
    'ssl=1',
    'sslnegotiation=direct',
  ])('%s starts', (query) => {
    expect(refusals(url(query))).toEqual({});
  });

  test('the parameter host decides where the driver connects', () => {
    expect(refused(url('host=db.internal', 'localhost'))).toMatch(/^must ask for TLS/);
    expect(refusals(url('host=localhost'))).toEqual({});
    expect(refusals(url('host=%2Fvar%2Frun%2Fpostgresql'))).toEqual({});
  });

  test('this machine and a socket need no TLS, names that look like them do', () => {
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.0.0.2', '[::1]']) {
      expect([host, refusals(url('', host))]).toEqual([host, {}]);
    }
    for (const host of ['localhost.internal', '127.0.0.1.internal', '127.1', '[::2]', '10.0.0.1']) {
      expect([host, refused(url('', host))]).toEqual([host, expect.stringMatching(/^must ask for TLS/)]);
    }
  });

  test('without a password the app itself asks for TLS', () => {
    expect(refusals(url('', 'db.internal', 'id-dermagate'))).toEqual({});
    expect(refused(url('password=pw', 'db.internal', 'app'))).toMatch(/^must ask for TLS/);
  });

  test.each(['Production', 'Development'])(
    'options would replace the role of the app: refused in %s',
    (environment) => {
      const { DATABASE_URL } = url('sslmode=verify-full&options=-c%20role%3Dpostgres');
      expect(refusals({ DATABASE_URL }, environment)).toEqual({
        DATABASE_URL: 'must not set options: the app sets its database role there',
      });
    },
  );
});

test('certificates cannot be switched off for the whole process', () => {
  expect(refusedKeys({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual(['NODE_TLS_REJECT_UNAUTHORIZED']);
  expect(refusals({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual({});
  expect(refusals({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'Development')).toEqual({});
});

describe('secrets', () => {
  const { SECRET_KEY, PASSWORD_PEPPER, FIELD_ENCRYPTION_KEY } = production;
  test.each<[string, Values, string]>([
    ['SECRET_KEY_PREVIOUS', { SECRET_KEY_PREVIOUS: SECRET_KEY }, 'SECRET_KEY'],
    ['SECRET_KEY_PREVIOUS', { SECRET_KEY_PREVIOUS: PASSWORD_PEPPER }, ''],
    ['PASSWORD_PEPPER', { PASSWORD_PEPPER: SECRET_KEY }, 'SECRET_KEY'],
    [
      'FIELD_ENCRYPTION_KEY_PREVIOUS',
      { FIELD_ENCRYPTION_KEY_PREVIOUS: FIELD_ENCRYPTION_KEY },
      'FIELD_ENCRYPTION_KEY',
    ],
    ['FIELD_ENCRYPTION_KEY', { FIELD_ENCRYPTION_KEY: SECRET_KEY }, 'SECRET_KEY'],
    // It is handed to another service.
    ['AI_SERVICE_KEY', { AI_SERVICE_KEY: SECRET_KEY }, 'SECRET_KEY'],
    [
      'ELIGIBILITY_SERVICE_KEY',
      { ELIGIBILITY_SERVICE_KEY: SECRET_KEY, ELIGIBILITY_SERVICE_URL: 'https://members.example.org' },
      'SECRET_KEY',
    ],
  ])('%s equal to another secret is refused in production: %#', (key, values, other) => {
    const found = refusals(values);
    expect(Object.keys(found)).toHaveLength(1);
    if (other !== '') expect(found).toEqual({ [key]: `must differ from ${other}` });
    expect(refusals(values, 'Development')).toEqual({});
  });

  test('a true rotation starts', () => {
    expect(refusals({ SECRET_KEY_PREVIOUS: secret(), FIELD_ENCRYPTION_KEY_PREVIOUS: secret() })).toEqual({});
  });
});

describe('self-registration', () => {
  const physician = { ALLOW_PHYSICIAN_SELF_REGISTRATION: 'true' };
  const admin = { ALLOW_ADMIN_SELF_REGISTRATION: 'true' };

  test.each<[string, Values, RegExp]>([
    [
      'physician',
      {},
      /`physician` in production \(or set ALLOW_PHYSICIAN_SELF_REGISTRATION=true knowingly\)$/,
    ],
    ['patient, physician', admin, /`physician` in production/],
    ['physician', { ALLOW_PHYSICIAN_SELF_REGISTRATION: 'false' }, /`physician`/],
    ['admin', physician, /`admin` in production \(or set ALLOW_ADMIN_SELF_REGISTRATION=true knowingly\)$/],
    [
      'admin,physician',
      {},
      /`physician` or `admin` in production \(or set ALLOW_PHYSICIAN_SELF_REGISTRATION=true and ALLOW_ADMIN_/,
    ],
  ])('of %s with %j is refused in production', (SELF_REGISTRATION_ROLES, values, message) => {
    const found = refusals({ SELF_REGISTRATION_ROLES, ...values });
    expect(Object.keys(found)).toEqual(['SELF_REGISTRATION_ROLES']);
    expect(found['SELF_REGISTRATION_ROLES']).toMatch(message);
    expect(refusals({ SELF_REGISTRATION_ROLES, ...values }, 'Development')).toEqual({});
  });

  test('is opened by the key of each role', () => {
    expect(refusals({ SELF_REGISTRATION_ROLES: 'patient' })).toEqual({});
    expect(refusals({ SELF_REGISTRATION_ROLES: 'patient,physician', ...physician })).toEqual({});
    expect(refusals({ SELF_REGISTRATION_ROLES: 'physician,admin', ...physician, ...admin })).toEqual({});
  });
});

describe('proxies', () => {
  const FRONT_DOOR_ID = '55CE4ED1-4b06-4bf1-b40e-4638452104da';

  test.each(['2', '3', '8', '08'])(
    '%s are trusted in production only behind a Front Door that is checked',
    (hops) => {
      expect(refusals({ TRUSTED_PROXY_HOPS: hops })).toEqual({
        TRUSTED_PROXY_HOPS: expect.stringMatching(/^must be at most 1 in production without FRONT_DOOR_ID/),
      });
      expect(refusals({ TRUSTED_PROXY_HOPS: hops, FRONT_DOOR_ID: '' })).toHaveProperty('TRUSTED_PROXY_HOPS');
      expect(refusals({ TRUSTED_PROXY_HOPS: hops, FRONT_DOOR_ID: 'any' })).toHaveProperty('FRONT_DOOR_ID');
      expect(refusals({ TRUSTED_PROXY_HOPS: hops, FRONT_DOOR_ID })).toEqual({});
      expect(refusals({ TRUSTED_PROXY_HOPS: hops }, 'Development')).toEqual({});
    },
  );

  test.each(['0', '1', undefined])('%s behind a Front Door would make all its clients one', (hops) => {
    expect(refusals({ TRUSTED_PROXY_HOPS: hops })).toEqual({});
    expect(refusedKeys({ TRUSTED_PROXY_HOPS: hops, FRONT_DOOR_ID })).toEqual(['TRUSTED_PROXY_HOPS']);
  });

  test('the id is compared in lower case', () => {
    expect(readConfig({ ...production, TRUSTED_PROXY_HOPS: '2', FRONT_DOOR_ID }).FRONT_DOOR_ID).toBe(
      FRONT_DOOR_ID.toLowerCase(),
    );
  });
});
