import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createTenant, register, tenantRows } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';
import { createCase } from '../../../../support/cases.ts';
import { handle } from '../../../../support/case-work.ts';
import { cliCommand } from '../../../../support/cli-command.ts';
import { skinPhoto } from '../../../../support/images.ts';
import { storePhoto } from '../../../../support/stored-images.ts';
import {
  endLease,
  happened,
  newPhysician,
  queueCases,
  rowOf,
  takeNext,
} from '../../../../support/queue-stage.ts';

// A case for staff: who may read it, what a read writes, what it does to the lease.

const app = await testApp();
await createTenant(app, 'get-case-elsewhere');
const [holder, colleague, admin, foreign] = await Promise.all([
  newPhysician(app, { languages: ['he'] }),
  newPhysician(app),
  register(app, { role: 'admin' }),
  register(app, { role: 'admin', tenant: 'get-case-elsewhere' }),
]);

const eraseUser = cliCommand('erase-user');

interface TimelineEntry {
  action: string;
  actor: { kind: string; display_name: string | null };
}

async function read(token: string, uuid: string) {
  const reply = await app.request(`/api/v1/backoffice/cases/${uuid}`, { token });
  const body = (await reply.json()) as Record<string, unknown> & { patient: object };
  return {
    status: reply.status,
    etag: reply.headers.get('etag'),
    language: reply.headers.get('content-language'),
    body,
  };
}

const leaseOf = async (uuid: string) => ((await rowOf(app, uuid))['lease_expires_at'] as Date).getTime();
const shorten = (uuids: readonly string[]) =>
  tenantRows(
    app,
    `UPDATE request_records SET lease_expires_at = now() + interval '1 minute' WHERE uuid = ANY ($1)`,
    [uuids],
  );

test('its holder’s read puts the lease off, also on the rest of the batch, and leaves the version', async () => {
  const batch = randomUUID();
  const uuids = await queueCases(app, [
    { language: 'he', batch },
    { language: 'he', batch, dueIn: 9000 },
  ]);
  const [uuid = '', sibling = ''] = uuids;
  await takeNext(app, holder);
  await shorten(uuids);
  const { status, etag, body } = await read(holder.token, uuid);
  expect({ status, etag }).toEqual({ status: 200, etag: '"2"' });
  expect(body).toMatchObject({
    uuid,
    version: 2,
    patient: { display_name: 'Rivka' },
    assigned_physician: { uuid: holder.uuid },
  });
  const inHalfAnHour = Date.now() + 29 * 60_000;
  expect(Date.parse(body['lease_expires_at'] as string)).toBe(await leaseOf(uuid));
  expect(await leaseOf(uuid)).toBeGreaterThan(inHalfAnHour);
  expect(await leaseOf(sibling)).toBeGreaterThan(inHalfAnHour);
  // An admin's read is no work on the case, and what has ended is not brought back to life.
  await shorten(uuids);
  await read(admin.access_token, uuid);
  expect(await leaseOf(uuid)).toBeLessThan(inHalfAnHour);
  await endLease(app, uuid);
  expect((await read(holder.token, uuid)).body['allowed_actions']).not.toContain('renew_lease');
  expect(await leaseOf(uuid)).toBeLessThan(Date.now());
});

test('one row says who has read it, for all reads of a session within ten minutes', async () => {
  const [uuid = ''] = await queueCases(app, [{}]);
  for (const token of [colleague.token, colleague.token, admin.access_token]) {
    expect((await read(token, uuid)).status).toBe(200);
  }
  expect(await happened(app, uuid)).toEqual(['case_read', 'case_read']);
});

test('hidden, foreign, unknown and malformed ids are one and the same 404', async () => {
  const [hebrew = '', own = ''] = await queueCases(app, [
    { language: 'he' },
    { accountUserId: colleague.userId },
  ]);
  const refusals = await Promise.all([
    read(colleague.token, hebrew),
    read(colleague.token, own),
    read(foreign.access_token, hebrew),
    read(colleague.token, randomUUID()),
    read(colleague.token, 'no-uuid'),
  ]);
  const known = refusals.map(({ status, body: { requestId: _id, ...body } }) => ({ status, body }));
  expect(new Set(known.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(known[0]).toMatchObject({ status: 404, body: { code: 'case_not_found' } });
  expect(await happened(app, hebrew)).not.toContain('case_read');
});

test('what a patient did stays the patient’s in the timeline: as a physician later, and after the account is erased', async () => {
  const { access_token: token, email } = await register(app);
  const { uuid } = await createCase(app, token, {
    images: [
      {
        name: (await storePhoto(app, token, await skinPhoto({ width: 64, height: 48, format: 'jpeg' }))).uuid,
      },
    ],
    consent: { version: '1', accepted: true },
    submit: true,
  });
  const [row] = await tenantRows(app, 'SELECT account_user_id FROM request_records WHERE uuid = $1', [uuid]);
  await tenantRows(app, `UPDATE request_records SET status = 'queued' WHERE uuid = $1`, [uuid]);
  const cancelled = { action: 'cancel', reason: 'duplicate', version: (await rowOf(app, uuid))['version'] };
  expect((await handle(app, { token: admin.access_token }, uuid, cancelled)).status).toBe(200);
  const actors = async () =>
    ((await read(admin.access_token, uuid)).body['timeline'] as TimelineEntry[])
      .filter(({ action }) => ['case_created', 'case_submitted', 'case_cancelled'].includes(action))
      .map(({ action, actor }) => [action, actor.kind, actor.display_name]);
  const expected = [
    ['case_created', 'patient', null],
    ['case_submitted', 'patient', null],
    ['case_cancelled', 'staff', null],
  ];
  expect(await actors()).toEqual(expected);
  const account = row?.['account_user_id'];
  await tenantRows(app, `UPDATE users SET role = 'physician' WHERE id = $1`, [account]);
  expect(await actors()).toEqual(expected);
  await promisify(execFile)(process.execPath, [eraseUser(), '--email', email], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: app.databaseUrl,
      STORAGE_CONNECTION_STRING: app.env['STORAGE_CONNECTION_STRING'],
      STORAGE_CONTAINER: app.env['STORAGE_CONTAINER'],
      FIELD_ENCRYPTION_KEY: app.env['FIELD_ENCRYPTION_KEY'],
    },
  });
  expect(await tenantRows(app, 'SELECT FROM users WHERE id = $1', [account])).toEqual([]);
  expect(await actors()).toEqual(expected);
});
