import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { personTables } from '../../src/domain/records/erasure/person-tables.ts';
import {
  type Account,
  claimsOf,
  createTenant,
  freshEmail,
  goodPassword,
  logIn,
  me,
  openTransaction,
  register,
  tenantRows,
} from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { testApp } from '../support/app.ts';
import { cliCommand } from '../support/cli-command.ts';
import { compileCache } from '../support/compile-cache.ts';
import { actOnCase, createCase } from '../support/cases.ts';
import { anamnesis, anamnesisPart, imagePart, upload } from '../support/diagnosis.ts';
import { GOOD_REPLIES, json } from '../support/fake-ai.ts';
import { skinPhoto } from '../support/images.ts';
import { mailServer } from '../support/mail-server.ts';
import { happened, newPhysician, queueCases, rowOf } from '../support/queue-stage.ts';
import { blobNames, storeImages, storePhoto } from '../support/stored-images.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import {
  addTheRest,
  busyPerson,
  everything,
  type Row,
  tablesWith,
  type Traces,
  unopenedResetRequest,
  wordsOfCases,
} from './traces.ts';

// A person with a trace in every table, among others; the command; then everything there is, read column by column.

const server = await mailServer();
await server.behave({ kind: 'refuses_connections' });
const app = await testApp({
  env: {
    ...server.settings,
    TRUSTED_PROXY_HOPS: '2',
    PORTAL_URL: 'https://portal.example',
    // A diagnosis of this file waits for a command.
    AI_TIMEOUT_MS: '60000',
  },
});
const command = cliCommand('erase-user');
const photo = await skinPhoto({ width: 640, height: 480, format: 'jpeg' });

const settings = {
  PATH: process.env['PATH'],
  ...compileCache(),
  DATABASE_URL: app.databaseUrl,
  STORAGE_CONNECTION_STRING: app.env['STORAGE_CONNECTION_STRING'],
  STORAGE_CONTAINER: app.env['STORAGE_CONTAINER'],
  FIELD_ENCRYPTION_KEY: app.env['FIELD_ENCRYPTION_KEY'],
};

/** As `npm run erase-user -- …` runs it. */
function eraseUser(args: string[], env: Record<string, string | undefined> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [command(), ...args],
      { env: { ...settings, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const person = await busyPerson(app);
const other = await busyPerson(app);
await addTheRest(app, person, { inviter: other, elsewhere: await createTenant(app, 'elsewhere') });
await app.db.query(`UPDATE outbox_messages SET available_at = 'infinity'`);
await app.runTimer('drainOutbox');
await unopenedResetRequest(app, person.account.email);
await unopenedResetRequest(app, other.account.email);
const unopened = async () =>
  (await app.db.query(`SELECT FROM outbox_messages WHERE topic = 'password_reset_requested'`)).rowCount;

const before = await everything(app);
const blobsBefore = await blobNames(app);

/** Number, UUID or address of the person in a column of the row, whatever its name. */
const names = ({ text }: Row, { id, uuid, account }: Traces) =>
  new RegExp(`"(?:\\w*user_id|invited_by)": "?${id}"?[,}]`).test(text) ||
  text.includes(uuid) ||
  text.includes(account.email);

test('the person has left something in every table that can have something of a person', () => {
  expect(person.blobs).toHaveLength(3);
  for (const trace of [person.account.email, person.agent, person.network, person.phrase, person.uuid])
    expect([trace, tablesWith(before, trace)]).not.toEqual([trace, []]);
  const left = new Set(before.filter((row) => names(row, person)).map(({ table }) => table));
  for (const [table, plan] of Object.entries(personTables)) {
    if (plan.rows === 'deleted' || (plan.rows === 'of_cases' && plan.blanks.length > 0))
      expect(left, `no row of ${table}: test/cli/traces.ts has none`).toContain(table);
  }
  expect([...left].some((table) => table.startsWith('event_logs_'))).toBe(true);
});

test('what cannot be done is refused before anything is done', async () => {
  const { email } = person.account;
  const cases: [string[], Record<string, string | undefined>, RegExp][] = [
    [[], {}, /^usage/],
    [['--email', email, '--uuid', person.uuid], {}, /^usage/],
    [['--email', 'nobody'], {}, /not an email address/],
    [['--uuid', '17'], {}, /not a UUID/],
    [['--uuid', randomUUID()], {}, /no account with this UUID/],
    [['--email', email], { DATABASE_URL: '' }, /DATABASE_URL must be set/],
    [
      ['--email', email],
      { STORAGE_CONNECTION_STRING: '' },
      /STORAGE_ACCOUNT_URL or STORAGE_CONNECTION_STRING/,
    ],
    [['--email', email], { DATABASE_URL: 'postgresql://x:secret-17@127.0.0.1:1/none' }, /cannot be reached/],
    [
      ['--email', email],
      { DATABASE_URL: `${app.databaseUrl}?options=-c%20role%3Ddermagate_app` },
      /must name the role that owns the tables/,
    ],
  ];
  for (const [args, env, message] of cases) {
    const { code, stdout, stderr } = await eraseUser(args, env);
    expect([args, env, code, stdout]).toEqual([args, env, 1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/secret-17|^ +at /m);
  }
  expect(await everything(app)).toEqual(before);
});

test.each([
  ['a table', 'CREATE TABLE visits (id integer, user_id integer)', 'DROP TABLE visits', 'visits'],
  [
    'a column of the event log',
    'ALTER TABLE event_logs ADD COLUMN phone text',
    'ALTER TABLE event_logs DROP COLUMN phone',
    'event_logs.phone',
  ],
])('%s that the command does not know stops it', async (_what, make, drop, name) => {
  await app.db.query(make);
  try {
    const { code, stderr } = await eraseUser(['--uuid', person.uuid]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`does not know ${name}.`)]);
  } finally {
    await app.db.query(drop);
  }
  expect(await everything(app)).toEqual(before);
});

let lastTokens: Account;

test('while blob storage cannot be reached the account stays, deactivated, so that the command can be run again', async () => {
  lastTokens = await signIn(person);
  const away =
    'DefaultEndpointsProtocol=http;AccountName=a;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:1/a';
  const { code, stderr } = await eraseUser(['--uuid', person.uuid], { STORAGE_CONNECTION_STRING: away });
  const explained =
    /^The photos were not deleted\. .* cannot be reached, or refuses: .+\nRun the command again\.\n$/;
  expect([code, stderr]).toEqual([1, expect.stringMatching(explained)]);
  expect((await me(app, lastTokens.access_token)).status).toBe(401);
  expect(await tenantRows(app, 'SELECT is_active FROM users WHERE uuid = $1', [person.uuid])).toEqual([
    { is_active: false },
  ]);
  expect(await blobNames(app)).toEqual(blobsBefore);
  // No request in flight submits a photo whose blob is about to be removed.
  const usable = 'SELECT blob_name FROM images WHERE owner_user_id = $1 AND deleted_at IS NULL';
  expect(await tenantRows(app, usable, [person.id])).toEqual([{ blob_name: person.recordBlob }]);
});

const signIn = async ({ account }: Traces) =>
  (await (await logIn(app, { ...account, password: `${goodPassword} 2` })).json()) as Account;

test('everything about the person goes, in every table and in blob storage; what stays are codes', async () => {
  const { access_token: token, refresh_token: refreshToken } = lastTokens;
  const { code, stdout, stderr } = await eraseUser(['--email', person.account.email.toUpperCase()]);
  expect([code, stderr]).toEqual([0, '']);

  const rows = await everything(app);
  const gone = person.blobs.filter((name) => name !== person.recordBlob);
  const { email } = person.account;
  for (const trace of [email, person.agent, person.network, person.phrase, wordsOfCases.draft, ...gone])
    expect([trace, tablesWith(rows, trace)]).toEqual([trace, []]);
  // As pseudonyms in the event log, where they stay: number and UUID lead to no row any more.
  const named = rows.filter((row) => names(row, person));
  expect(named.length).toBeGreaterThan(5);
  expect(tablesWith(named, '').filter((table) => !table.startsWith('event_logs_'))).toEqual([]);
  for (const { text } of named) expect(JSON.parse(text)).toMatchObject({ ip_prefix: null, session_id: null });

  expect(await unopened()).toBe(1);
  expect(
    rows.filter(({ table, text }) => table === 'outbox_messages' && text.includes('"invitation_uuid"')),
  ).toEqual([]);

  const left = await blobNames(app);
  expect(left).toEqual(blobsBefore.filter((name) => !gone.includes(name)));
  expect(left).toEqual(expect.arrayContaining(other.blobs));

  expect((await me(app, token)).status).toBe(401);
  expect((await app.request('/api/auth/refresh', { json: { refresh_token: refreshToken } })).status).toBe(
    401,
  );
  expect((await logIn(app, { ...person.account, password: `${goodPassword} 2` })).status).toBe(401);

  expect(stdout).not.toContain(person.account.email);
  expect(stdout).toMatch(new RegExp(`^Erased ${person.uuid}, physician of tenant default\\.\nRemoved:\n`));
  expect(stdout).toMatch(/^ {2}blobs: 2$/m);
  expect(stdout).toMatch(/^ {2}images: 1$/m);
  expect(stdout).toMatch(/^ {2}invitations: 3$/m);
  expect(stdout).toMatch(/^ {2}request_records: 1 submitted cases .*medical records$/m);
  expect(stdout).toMatch(/^ {2}ml_diagnosis_results: 1 of cases, without the person/m);
  expect(stdout).toMatch(/^Kept:\n {2}event_logs: \d+ without ip_prefix and session_id, .*evidence/m);
  expect(stdout).toMatch(/gone after 14 days$/m);
  expect(stdout).toMatch(/after a restore run this command again$/m);
});

test('a submitted case stays with its answers, messages and photo, not with one taken off its draft, and names no account', async () => {
  const rows = await everything(app);
  expect(tablesWith(rows, wordsOfCases.submitted).toSorted()).toEqual([
    'case_messages',
    'ml_diagnosis_results',
    'request_anamneses',
  ]);
  const remaining = (table: string) =>
    rows.filter((row) => row.table === table).map(({ text }) => JSON.parse(text) as object);
  for (const table of ['request_records', 'patients', 'case_batches'])
    expect(remaining(table)).toContainEqual(expect.objectContaining({ account_user_id: null }));
  expect(remaining('case_images')).toHaveLength(1);
  expect(remaining('images')).toContainEqual(
    expect.objectContaining({ blob_name: person.recordBlob, owner_user_id: null }),
  );
});

test('what a physician has signed stays, without its author and the template; drafts go', async () => {
  const rows = await everything(app);
  const remaining = (table: string) =>
    rows.filter((row) => row.table === table).map(({ text }) => JSON.parse(text) as object);
  expect(remaining('dermatologist_annotations')).toEqual([
    expect.objectContaining({ status: 'final', physician_id: null, template_id: null }),
  ]);
  expect(remaining('audit_annotations')).toEqual([
    expect.objectContaining({ status: 'final', auditor_id: null }),
  ]);
  expect(remaining('request_records')).toEqual([expect.objectContaining({ assigned_physician_id: null })]);
});

test('a physician with a case in review is not erased', async () => {
  await tenantRows(
    app,
    `UPDATE request_records SET status = 'in_review', lease_expires_at = now(), assigned_physician_id =
       (SELECT id FROM physicians WHERE user_id = $1)`,
    [other.id],
  );
  const { code, stderr } = await eraseUser(['--uuid', other.uuid]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('1 cases in review')]);
  await tenantRows(app, `UPDATE request_records SET status = 'closed', assigned_physician_id = NULL`);
});

test('no other account lost or changed anything', async () => {
  const ofOther = (rows: readonly Row[]) =>
    rows
      .filter(({ text }) =>
        [
          other.uuid,
          other.account.email,
          other.agent,
          other.network,
          ...other.blobs,
          `user_id": ${other.id},`,
        ].some((trace) => text.includes(trace)),
      )
      // The invitation that the other person sent to the erased one is about the erased one.
      .filter(({ text }) => !text.includes(person.account.email))
      .map(({ text }) => text)
      .toSorted();
  expect(ofOther(before).length).toBeGreaterThan(15);
  expect(ofOther(await everything(app))).toEqual(expect.arrayContaining(ofOther(before)));
  expect((await signIn(other)).access_token).toBeDefined();
});

test('the erasure is in the audit log of the tenant, in numbers', async () => {
  const { rows } = await app.db.query(
    `SELECT tenant_id, action, outcome, subject_uuid, detail FROM event_logs_admin WHERE request_id = 'erase-user'
     ORDER BY id`,
  );
  // The first from the run that did not reach blob storage.
  expect(rows).toEqual([
    expect.objectContaining({ action: 'user_deactivated', outcome: 'success', subject_uuid: person.uuid }),
    {
      tenant_id: 1,
      action: 'user_erased',
      outcome: 'success',
      subject_uuid: person.uuid,
      detail: expect.objectContaining({
        role: 'physician',
        by: 'command line',
        images: 1,
        request_records: 1,
        users: 1,
      }) as object,
    },
  ]);
});

test('a second time there is nothing left, and the address can be registered anew', async () => {
  const { code, stdout } = await eraseUser(['--email', person.account.email]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('no account with this address.\nRemoved:\n  nothing\n'),
  ]);
  expect((await eraseUser(['--uuid', person.uuid])).code).toBe(1);
  const again = await register(app, { email: person.account.email });
  expect(claimsOf(again.access_token).sub).not.toBe(person.uuid);
});

test('an address that was invited only is erased as well; messages with sealed addresses are kept without the key', async () => {
  const admin = await register(app, { role: 'admin' });
  const email = freshEmail('invited');
  await app.request('/api/auth/invitations', { json: { email, role: 'patient' }, token: admin.access_token });
  await unopenedResetRequest(app, email);
  const without = await eraseUser(['--email', email], { FIELD_ENCRYPTION_KEY: undefined });
  expect(without.stdout).toMatch(/^ {2}invitations: 1$/m);
  expect(without.stdout).toMatch(/^ {2}outbox_messages: \d+ requests for a reset whose address is sealed/m);
  expect(tablesWith(await everything(app), email)).toEqual([]);
  expect(await unopened()).toBe(2);
  expect((await eraseUser(['--email', email])).stdout).toMatch(/^ {2}outbox_messages: 1$/m);
  expect(await unopened()).toBe(1);
});

test('an address is erased where an account has lost it, unverified, to an invitation', async () => {
  const email = freshEmail('retired');
  const elsewhere = await createTenant(app, 'retired-there');
  const squatter = await register(app, { email, tenant: 'retired-there' });
  const lost = `UPDATE users SET email = 'released@invalid', is_active = false WHERE email = $1`;
  await tenantRows(app, lost, [email], elsewhere);
  await register(app, { email });
  expect(tablesWith(await everything(app), email)).toEqual(
    expect.arrayContaining(['users', 'email_verification_tokens']),
  );
  expect((await eraseUser(['--email', email])).code).toBe(0);
  expect(tablesWith(await everything(app), email)).toEqual([]);
  const stays = 'SELECT FROM users WHERE uuid = $1';
  const { sub } = claimsOf(squatter.access_token);
  expect(await tenantRows(app, stays, [sub], elsewhere)).toHaveLength(1);
});

test('the cases that an erased physician had on hold or reserved go back to the queue', async () => {
  const { id, account } = await newPhysician(app);
  const [reserved = '', ...onHold] = await queueCases(app, [
    { lanePool: `physician:${id}`, laneLanguage: 'any', laneUntil: 600 },
    { pool: 'hand-clinic' },
    {},
  ]);
  for (const [index, pending] of ['technical', 'awaiting_second_opinion'].entries()) {
    await tenantRows(
      app,
      `UPDATE request_records SET status = 'on_hold', pending_status = $2, assigned_physician_id = $3, held_at = now(),
         lane_pool = NULL, lane_language = NULL WHERE uuid = $1`,
      [onHold[index], pending, id],
    );
  }
  const { code, stdout } = await eraseUser(['--email', account.email]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^ {2}request_records: 3 cases .* back in the queue$/m),
  ]);
  const queued = { status: 'queued', pending_status: null, held_at: null, assigned_physician_id: null };
  const lane = (pool: string) => ({ lane_pool: pool, lane_language: 'en', lane_until: null });
  expect(await rowOf(app, reserved)).toMatchObject({ ...queued, ...lane('general') });
  expect(await rowOf(app, onHold[0] ?? '')).toMatchObject({ ...queued, ...lane('hand-clinic') });
  expect(await rowOf(app, onHold[1] ?? '')).toMatchObject({ ...queued, ...lane('general') });
  expect(await happened(app, reserved)).toEqual(['case_lane_changed']);
  expect(await happened(app, onHold[0] ?? '')).toEqual(['case_queued']);
  const [event] = await tenantRows(
    app,
    `SELECT detail FROM event_logs WHERE action = 'user_erased' AND subject_uuid = $1`,
    [claimsOf(account.access_token).sub],
  );
  expect(event).toMatchObject({ detail: { role: 'physician', cases: 3 } });
});

test('a photo that a request in flight submits stays with its case', async () => {
  const account = await register(app);
  const { access_token: token } = account;
  const stored = await storePhoto(app, token, await skinPhoto({ width: 333, height: 200, format: 'jpeg' }));
  const { uuid } = await createCase(app, token, { images: [{ name: stored.uuid }] });
  const holder = await openTransaction(app);
  await holder.run('SELECT FROM request_records WHERE uuid = $1 FOR UPDATE', [uuid]);
  const submitting = actOnCase(app, token, uuid, {
    action: 'submit',
    consent: { version: '1', accepted: true },
  });
  await holder.awaited();
  // By this name its wait counts as the app's.
  const named = { DATABASE_URL: `${app.databaseUrl}?application_name=dermagate` };
  const erasing = eraseUser(['--email', account.email], named);
  await holder.awaited(2);
  await holder.rollback();
  expect((await erasing).code).toBe(0);
  await submitting;
  const [photoOfRecord] = await tenantRows<{ blob_name: string }>(
    app,
    `SELECT i.blob_name, r.status <> 'draft' AS submitted, r.account_user_id, i.owner_user_id, i.deleted_at
     FROM request_records r JOIN case_images c ON c.case_uuid = r.uuid JOIN images i ON i.uuid = c.image_uuid
     WHERE r.uuid = $1`,
    [uuid],
  );
  expect(photoOfRecord).toMatchObject({
    submitted: true,
    account_user_id: null,
    owner_user_id: null,
    deleted_at: null,
  });
  expect(await blobNames(app)).toContain(photoOfRecord?.blob_name);
});

test('a photo whose upload is written only after its blob was removed is removed again', async () => {
  const connectionString = inject('services').storageConnectionString;
  const endpoint = new URL(/BlobEndpoint=([^;]+)/.exec(connectionString)?.[1] ?? '');
  const line = await tcpProxy({ host: endpoint.hostname, port: Number(endpoint.port) });
  const behind = connectionString.replace(endpoint.host, `127.0.0.1:${line.port}`);
  const instance = await anotherInstance(app, { STORAGE_CONNECTION_STRING: behind });
  const account = await register(app);
  const blobs = await blobNames(app);
  await unopenedResetRequest(app, account.email);
  line.hang();
  const uploading = storeImages(instance, account.access_token, [
    await skinPhoto({ width: 334, height: 200, format: 'jpeg' }),
  ]);
  const states = async () =>
    (await tenantRows(app, `SELECT state FROM images WHERE width_px = 334`)).map(({ state }) => state);
  await expect.poll(states).toEqual(['pending']);
  // The request for a reset goes after the blobs and before the rows: there the command waits.
  const holder = await openTransaction(app);
  await holder.run(`SELECT FROM outbox_messages WHERE topic = 'password_reset_requested' FOR UPDATE`);
  const named = { DATABASE_URL: `${app.databaseUrl}?application_name=dermagate` };
  const erasing = eraseUser(['--email', account.email], named);
  await holder.awaited();
  line.forward();
  expect((await uploading).status).toBe(201);
  await holder.rollback();
  expect((await erasing).code).toBe(0);
  expect(await states()).toEqual([]);
  expect((await blobNames(app)).toSorted()).toEqual(blobs.toSorted());
});

test('a request that is under way records nothing about a person who has been erased meanwhile', async () => {
  const account = await register(app);
  const [user] = await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE email = $1', [
    account.email,
  ]);
  const erased = Promise.withResolvers<void>();
  app.ai.on('predict_diagnosis', async (call, response) => {
    await erased.promise;
    await json(GOOD_REPLIES.predict_diagnosis)(call, response);
  });
  const diagnosis = app.request(
    '/api/diagnosis',
    upload(
      [
        imagePart(photo),
        anamnesisPart({
          ...anamnesis,
          complaint: { ...(anamnesis['complaint'] as object), description: 'late words' },
        }),
      ],
      {
        token: account.access_token,
      },
    ),
  );
  await expect.poll(() => app.ai.calls.some(({ body }) => body.includes('late words'))).toBe(true);
  expect(await eraseUser(['--email', account.email])).toMatchObject({ code: 0 });
  erased.resolve();
  expect((await diagnosis).status).toBe(500);
  await sleep(200);
  const rows = await everything(app);
  expect(tablesWith(rows, 'late words')).toEqual([]);
  const isOfUser = new RegExp(`"actor_user_id": ${user?.id}[,}]`);
  const events = rows.filter(({ table, text }) => table.startsWith('event_logs_') && isOfUser.test(text));
  expect(events.some(({ text }) => text.includes('internal_error'))).toBe(true);
  for (const { text } of events)
    expect(JSON.parse(text)).toMatchObject({ ip_prefix: null, session_id: null });
  app.ai.reset();
});
