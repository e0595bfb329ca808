import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { givenSettings, writeLocalSettings } from './settings.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

const GENERATED = { DATABASE_URL: 'postgres://local', AI_SERVICE_URL: 'http://127.0.0.1:1' };

/** A function app folder with `settings` as its local.settings.json. */
function project(settings?: object | string): string {
  const root = tempFolder();
  const put = (name: string, content: object | string) =>
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  put('host.json', { version: '2.0' });
  put('package.json', { main: 'dist/main.js', type: 'module' });
  put('local.settings.example.json', {
    IsEncrypted: false,
    Values: { CORS_ORIGINS: 'http://localhost:3000' },
  });
  if (settings !== undefined) put('local.settings.json', settings);
  return root;
}

const stored = (root: string) =>
  JSON.parse(readFileSync(join(root, 'local.settings.json'), 'utf8')) as {
    Values: Record<string, string>;
    Host?: unknown;
  };

test('the environment wins over local.settings.json, which wins over the example; empty is unset', () => {
  const root = project({
    Values: { AI_SERVICE_URL: 'http://file', CORS_ORIGINS: 'http://file', LOG_LEVEL: '' },
  });
  const given = givenSettings(root, { AI_SERVICE_URL: 'http://env', CORS_ORIGINS: '', MAIL_URL: undefined });
  expect(given).toEqual({ AI_SERVICE_URL: 'http://env', CORS_ORIGINS: 'http://file' });
});

test('the production profile gets nothing of the example, which opens what production must not', () => {
  const given = givenSettings(project(), { AZURE_FUNCTIONS_ENVIRONMENT: 'Production' });
  expect(given).toEqual({ AZURE_FUNCTIONS_ENVIRONMENT: 'Production' });
});

test('generated settings are written for `func start`, readable by this user only', () => {
  const root = project();
  expect(writeLocalSettings(root, GENERATED)).toEqual([]);
  expect(stored(root)).toMatchObject({ IsEncrypted: false });
  expect(stored(root).Values).toEqual({ CORS_ORIGINS: 'http://localhost:3000', ...GENERATED });
  expect(statSync(join(root, 'local.settings.json')).mode & 0o777).toBe(0o600);
});

test('what was written by hand stays when values are generated', () => {
  const mine = { Values: { AI_SERVICE_URL: 'http://mine', EXTRA: 'x' }, Host: { LocalHttpPort: 7080 } };
  const root = project(mine);
  expect(writeLocalSettings(root, GENERATED)).toEqual(['AI_SERVICE_URL']);
  expect(stored(root)).toMatchObject({ Host: { LocalHttpPort: 7080 } });
  expect(stored(root).Values).toMatchObject({ ...mine.Values, DATABASE_URL: 'postgres://local' });
});

test('an empty value, as in a copy of the example, is filled in', () => {
  const root = project({ Values: { DATABASE_URL: '', LOG_LEVEL: '' } });
  expect(writeLocalSettings(root, GENERATED)).toEqual([]);
  expect(stored(root).Values).toMatchObject(GENERATED);
});

test('a generated value is renewed, until a developer changes it', () => {
  const root = project();
  writeLocalSettings(root, GENERATED);
  writeLocalSettings(root, { ...GENERATED, DATABASE_URL: 'postgres://another-port' });
  expect(stored(root).Values['DATABASE_URL']).toBe('postgres://another-port');
  const changed = stored(root);
  changed.Values['DATABASE_URL'] = 'postgres://mine';
  writeFileSync(join(root, 'local.settings.json'), JSON.stringify(changed));
  expect(writeLocalSettings(root, GENERATED)).toEqual(['DATABASE_URL']);
  expect(stored(root).Values['DATABASE_URL']).toBe('postgres://mine');
});

test('what `npm run services` wrote does not count as given: the services behind it may be gone', () => {
  const root = project();
  writeLocalSettings(root, GENERATED);
  expect(givenSettings(root, {})).toEqual({ CORS_ORIGINS: 'http://localhost:3000' });
});

test('a value that was generated once and is given elsewhere now still counts as generated', () => {
  const root = project();
  writeLocalSettings(root, GENERATED);
  writeLocalSettings(root, { AI_SERVICE_URL: 'http://127.0.0.1:2' });
  expect(stored(root).Values).toMatchObject({ ...GENERATED, AI_SERVICE_URL: 'http://127.0.0.1:2' });
  expect(givenSettings(root, {})).not.toHaveProperty('DATABASE_URL');
});

test('a file with comments is not rewritten, because they would be lost', () => {
  const text = '{ // mine\n  "Values": {} }';
  const root = project(text);
  expect(() => writeLocalSettings(root, GENERATED)).toThrow(/Comments would be lost/);
  expect(readFileSync(join(root, 'local.settings.json'), 'utf8')).toBe(text);
});

test('local.settings.json may have comments, trailing commas, numbers and switches, as Azure’s tools take them', () => {
  const root = project(
    '{ // a "comment"\n "Values": { "NOTE": "// none, /* and, more, */", "LIMIT": 5, "ON": true, }, }',
  );
  expect(givenSettings(root, {})).toMatchObject({
    NOTE: '// none, /* and, more, */',
    LIMIT: '5',
    ON: 'true',
  });
});

test.each([
  [{ IsEncrypted: true, Values: {} }, /local\.settings\.json is encrypted/],
  [{ Values: { LIST: ['a'] } }, /local\.settings\.json: Values\.LIST must be a string/],
  ['{ "Values": ', /local\.settings\.json is not valid JSON/],
])('a local.settings.json of %j is refused with its name', (settings, reason) => {
  expect(() => givenSettings(project(settings), {})).toThrow(reason);
});
