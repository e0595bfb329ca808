import { generateKeyPairSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkPassedOn, checkSecrets, checkSettings, passedOn } from '../../src/cli/check-settings.ts';

describe('check-settings', () => {
  test.each([
    ['{}'],
    ['{"REQUIRE_VERIFIED_EMAIL": "true", "LIMIT_UPLOADS_PER_HOUR": "100"}'],
    ['{"WEB_PUSH_HOSTS": "*.push.apple.com", "PUBLIC_AI_ROUTES": "", "BCRYPT_COST": "13"}'],
  ])('accepts %s', (json) => {
    expect(checkSettings(json, true)).toEqual([]);
  });

  test.each([
    ['a text', 'REQUIRE_VERIFIED_EMAIL=true', /is not JSON/],
    ['a list', '["REQUIRE_VERIFIED_EMAIL"]', /must be an object/],
    ['null', 'null', /must be an object/],
    ['a key that the app does not have', '{"REQUIRE_VERIFIED_MAIL": "true"}', /is no setting of the app/],
    ['a property of every object', '{"constructor": "x"}', /is no setting of the app/],
    ['a key that the template sets', '{"TRUSTED_PROXY_HOPS": "2"}', /TRUSTED_PROXY_HOPS cannot be set here/],
    ['a secret', '{"SECRET_KEY": "x"}', /SECRET_KEY cannot be set here/],
    ['development', '{"AZURE_FUNCTIONS_ENVIRONMENT": "Development"}', /cannot be set here/],
    ['a value that is no text', '{"REQUIRE_VERIFIED_EMAIL": true}', /must be a text/],
    ['a value that the app refuses', '{"REQUIRE_VERIFIED_EMAIL": "perhaps"}', /^REQUIRE_VERIFIED_EMAIL /],
    ['what production refuses', '{"BCRYPT_COST": "4"}', /^BCRYPT_COST /],
    ['plain http', '{"FCM_URL": "http://fcm.example.org"}', /^FCM_URL must be an https address/],
  ])('refuses %s', (_, json, problem) => {
    const problems = checkSettings(json, true);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  test('requires a mail server where addresses have to be verified', () => {
    const json = '{"REQUIRE_VERIFIED_EMAIL": "true"}';
    expect(checkSettings(json, false)).toEqual([expect.stringContaining('needs MAIL_URL')]);
  });
});

describe('settings of infra/deploy.sh that reach the app', () => {
  const given = {
    DERMAGATE_AI_SERVICE_URL: 'https://ai.example.org',
    DERMAGATE_ELIGIBILITY_SERVICE_URL: 'https://members.example.org/v1',
    DERMAGATE_PORTAL_URL: 'https://portal.example.org',
    DERMAGATE_BACKOFFICE_URL: 'https://desk.example.org',
    DERMAGATE_CORS_ORIGINS: 'https://portal.example.org, http://localhost:5173',
    DERMAGATE_MAIL_FROM: 'no-reply@example.org',
    DERMAGATE_VAPID_SUBJECT: 'mailto:push@example.org',
    DERMAGATE_EMERGENCY_NUMBER: '112',
    DERMAGATE_CRISIS_LINE: '116 123',
    DERMAGATE_FRONT_DOOR_ID: '1b4e28ba-2fa1-11d2-883f-0016d3cca427',
  };

  test('are accepted as the app accepts them, all together and none', () => {
    expect(Object.keys(given).toSorted()).toEqual(Object.values(passedOn).toSorted());
    expect(checkPassedOn(given)).toEqual([]);
    expect(checkPassedOn({})).toEqual([]);
    expect(checkPassedOn(Object.fromEntries(Object.keys(given).map((name) => [name, ''])))).toEqual([]);
  });

  test.each([
    ['DERMAGATE_AI_SERVICE_URL', 'https://ai.example.org:99999'],
    ['DERMAGATE_ELIGIBILITY_SERVICE_URL', 'https://10.0.0.256'],
    ['DERMAGATE_PORTAL_URL', 'https://[::1'],
    ['DERMAGATE_BACKOFFICE_URL', 'https://desk|example.org'],
    ['DERMAGATE_CORS_ORIGINS', 'https://portal.example.org:08443'],
    ['DERMAGATE_MAIL_FROM', 'no-reply@klinik-süd.example'],
    ['DERMAGATE_MAIL_FROM', 'no..reply@example.org'],
  ])('%s=%s is refused by its name, as the app refuses it', (name, value) => {
    const problems = checkPassedOn({ ...given, [name]: value });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} (?:each )?must be `))]);
  });

  test('are all that a parameter file passes on to a setting of the app', () => {
    const root = join(import.meta.dirname, '..', '..', 'infra');
    const main = readFileSync(join(root, 'main.bicep'), 'utf8');
    // A plain name, and the two that another resource may stand in for or add to.
    const settings = [
      ...main.matchAll(/^ {6}([A-Z_]+): (\w+)$/gm),
      ...main.matchAll(/^ {6}(PORTAL_URL): .* : (portalUrl)$/gm),
      ['', 'CORS_ORIGINS', 'corsOrigins'],
    ];
    for (const file of globSync('*.bicepparam', { cwd: root })) {
      const text = readFileSync(join(root, file), 'utf8');
      const read = new Map(
        [...text.matchAll(/^param (\w+) = readEnvironmentVariable\('(\w+)'/gm)].map(([, param, name]) => [
          param,
          name,
        ]),
      );
      const expected = settings.flatMap(([, key = '', param]) =>
        read.has(param) ? [[key, read.get(param)]] : [],
      );
      expect(Object.fromEntries(expected)).toEqual(passedOn);
    }
  });
});

describe('secrets that the environment gives', () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const account = {
    project_id: 'clinic',
    client_email: 'push@clinic.iam.example.org',
    private_key: privateKey,
  };
  const secrets = {
    AI_SERVICE_KEY: 'key-of-the-ai-service',
    ELIGIBILITY_SERVICE_KEY: 'key-of-the-eligibility-service',
    MAIL_URL: 'smtps://user:password@mail.example.org:465',
    FCM_SERVICE_ACCOUNT: JSON.stringify(account),
  };

  test('are accepted as the app accepts them, one by one and together; empty ones are none', () => {
    for (const [key, value] of Object.entries(secrets)) expect(checkSecrets({ [key]: value })).toEqual([]);
    expect(checkSecrets({ ...secrets, PASSWORD_PEPPER: '', PATH: '/bin' })).toEqual([]);
  });

  test.each([
    ['AI_SERVICE_KEY', 'schlüssel-17'],
    ['ELIGIBILITY_SERVICE_KEY', secrets.AI_SERVICE_KEY],
    ['FCM_SERVICE_ACCOUNT', '<html>secret-17</html>'],
    ['VAPID_PRIVATE_KEY', 'secret-17'],
    ['PASSWORD_PEPPER', 'secret-17'],
    ['FIELD_ENCRYPTION_KEY', 'secret-17'],
  ])('%s is refused without being shown', (key, value) => {
    const problems = checkSecrets({ ...secrets, [key]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${key} `));
    expect(problems[0]).not.toContain(value);
  });
});
