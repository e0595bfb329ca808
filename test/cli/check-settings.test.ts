import { describe, expect, test } from 'vitest';
import { checkSettings } from '../../src/cli/check-settings.ts';

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
