import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cliCommand } from '../support/cli-command.ts';
import { compileCache } from '../support/compile-cache.ts';
import { testDatabase } from '../support/database.ts';

const { url, db } = await testDatabase();
const command = cliCommand('parameters');
const env = { PATH: process.env['PATH'], ...compileCache(), DATABASE_URL: url };

/** As `npm run parameters -- …` runs it. @returns what it prints, and whether it succeeded. */
async function run(...args: string[]): Promise<[boolean, string]> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [command(), ...args], { env });
    return [true, stdout.trim()];
  } catch (error) {
    return [false, (error as { stderr: string }).stderr.trim()];
  }
}

test('a parameter of the platform is set, its version grows, and the event log has a row without the value', async () => {
  await run('set', 'resources/consent', 'v2026_10', '{"en": "Our own consent."}');
  expect(await run('set', 'legal/consent', 'version', '"2026-10"')).toEqual([
    true,
    'legal/consent/version of the platform: version 2',
  ]);
  const { rows } = await db.query(
    `SELECT value, version, visibility FROM application_parameters WHERE sub_branch = 'consent' AND key = 'version'`,
  );
  expect(rows).toEqual([{ value: '2026-10', version: 2, visibility: 'public' }]);
  const events = await db.query(`SELECT action, detail::text FROM event_logs_admin`);
  expect(events.rows).toMatchObject([{ action: 'parameter_set' }, { action: 'parameter_set' }]);
  expect(JSON.stringify(events.rows)).not.toContain('Our own');
  expect(JSON.stringify(events.rows)).not.toContain('2026-10');
});

test('a tenant gets a value of its own', async () => {
  expect(await run('set', 'queue/sla_hours', 'routine', '48', '--tenant', 'default')).toEqual([
    true,
    'queue/sla_hours/routine of default: version 1',
  ]);
});

test.each([
  [['set', 'queue/sla_hours', 'routine', '"soon"'], /^routine : Invalid input/],
  [['set', 'queue/sla_hours', 'lunch', '1'], /has the keys emergency/],
  [['set', 'legal/consent', 'version', '2x'], /is not JSON/],
  [['set', 'legal/consent', 'version', '"2"', '--tenant', 'nowhere'], /no tenant nowhere/],
  [['set', 'legal/consent', 'version', '"2"', '--visibility', 'internal'], /is settled/],
  [['set', 'Legal', 'version', '"2"'], /^Names are/],
  [['set', 'queue/rule', 'lease_minutes', '30'], /^The service has queue\/.* in this branch/],
  [['set', `${'own'.repeat(12)}/any`, 'key', '1'], /two parts of 1 to 32/],
  [['set', 'resources/consents', 'v2', '{"en": "Text"}'], /^The texts are consent, privacy, photo-guide/],
  [['set', 'resources/consent', 'v3', '{"he": "Text"}'], /^v3 en: Invalid input/],
  [['set', 'legal/consent', 'version', '"3 of May"'], /^version : Invalid string/],
  [['set', 'legal/consent', 'version', '"3"'], /^Version 3 has no text: set resources\/consent v3 first/],
  [
    ['set', 'legal/privacy', 'version', '"3"', '--tenant', 'default'],
    /^Version 3 has no text: set resources\/privacy v3 first/,
  ],
  [['unset', 'legal/consent', 'version'], /^usage/],
])('%j is refused, with what to do', async (args, message) => {
  const [done, text] = await run(...args);
  expect([done, text]).toEqual([false, expect.stringMatching(message)]);
});
