import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tenantRows } from '../support/accounts.ts';
import { cliCommand } from '../support/cli-command.ts';
import { compileCache } from '../support/compile-cache.ts';
import { testDatabase } from '../support/database.ts';

const { url, db } = await testDatabase();
const command = cliCommand('parameters');
const env = { PATH: process.env['PATH'], ...compileCache(), DATABASE_URL: url };

const run = async (...args: string[]) => await runWith(Buffer.alloc(0), ...args);

/** As `npm run parameters -- …` runs it. @returns what it prints, and whether it succeeded. */
async function runWith(input: Buffer, ...args: string[]): Promise<[boolean, string]> {
  try {
    const running = promisify(execFile)(process.execPath, [command(), ...args], { env });
    running.child.stdin?.end(input);
    const { stdout } = await running;
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

test('a number below zero is a value, and no option', async () => {
  expect(await run('set', 'mobile/chart', 'offset', '-5.5', '--tenant', 'default')).toEqual([
    true,
    'mobile/chart/offset of default: version 1',
  ]);
  const chart = `SELECT value FROM application_parameters WHERE sub_branch = 'chart'`;
  expect(await tenantRows({ db }, chart)).toEqual([{ value: -5.5 }]);
});

test('a value of a client’s own stays visible to those who see it, until another visibility is given', async () => {
  const set = async (...more: string[]) =>
    await run('set', 'mobile/help', 'line', '"call us"', '--tenant', 'default', ...more);
  const visibility = async () =>
    await tenantRows({ db }, `SELECT visibility FROM application_parameters WHERE sub_branch = 'help'`);
  await set();
  expect(await visibility()).toEqual([{ visibility: 'internal' }]);
  await set('--visibility', 'public');
  expect(await set()).toEqual([true, 'mobile/help/line of default: version 3']);
  expect(await visibility()).toEqual([{ visibility: 'public' }]);
});

test('a file in another charset, or with a byte-order mark, is no text for patients', async () => {
  const hebrew = Buffer.from([0x7b, 0x22, 0x65, 0x6e, 0x22, 0x3a, 0x22, 0xf9, 0xec, 0xe5, 0xed, 0x22, 0x7d]);
  for (const [file, reason] of [
    [hebrew, 'not valid UTF-8'],
    [Buffer.from('\uFEFF{"en": "Text"}'), 'byte-order mark'],
    [Buffer.from('{"en": "Text", "en": "Other"}'), 'the same key twice'],
  ] as const) {
    const [done, text] = await runWith(file, 'set', 'resources/consent', 'v9', '-');
    expect([done, text]).toEqual([false, expect.stringContaining(reason)]);
  }
  const { rows } = await db.query(`SELECT FROM application_parameters WHERE key = 'v9'`);
  expect(rows).toEqual([]);
});

test('a value that is too large for the table is refused in words', async () => {
  const value = JSON.stringify('x'.repeat(70_000));
  expect(await run('set', 'mobile/help', 'line', value)).toEqual([false, 'The value is larger than 64 KiB.']);
});

test.each([
  [['set', 'mobile/help', '__proto__', '1'], /no key begins with _/],
  [['set', 'mobile/help', 'line', '1e400'], /^line : Invalid input/],
  [['set', 'mobile/help', 'line', String.raw`"\ud800"`], /half of a surrogate pair/],
  [
    ['set', 'mobile/help', 'line', '1', '--tenant', 'default', '--tenant', 'other'],
    /^Option '--tenant' is given twice\.\nusage/,
  ],
  [['set', 'queue/sla_hours', 'routine', '"soon"'], /^routine : Invalid input/],
  [['set', 'queue/sla_hours', 'routine', '-5', '--tenant', 'default'], /^routine : Too small/],
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
