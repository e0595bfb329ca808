import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTenant, register, tenantRows } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';
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
