import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deviceTokenPurpose } from '../../../src/domain/identity/devices/device-token.ts';
import { createFieldCrypto } from '../../../src/lib/crypto/field-crypto.ts';
import {
  type Account,
  claimsOf,
  createTenant,
  goodPassword,
  logIn,
  openTransaction,
  register,
  tenantRows,
} from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';

const app = await testApp();
const path = '/api/v1/mobile/devices';

interface Row extends Record<string, unknown> {
  uuid: string;
  user_id: number;
  token: string;
  text: string;
}
const add = async (access: string, token = `fcm-${randomUUID()}`) => {
  const reply = await app.request(path, {
    json: { platform: 'android', token, app_version: '2.14.0' },
    token: access,
  });
  expect(reply.status).toBe(201);
  return (await reply.json()) as { uuid: string };
};
const remove = (access: string, uuid: string) =>
  app.request(`${path}/${uuid}`, { method: 'DELETE', token: access });
const rows = (uuids: string[]) =>
  tenantRows<Row>(app, 'SELECT *, to_jsonb(d)::text AS text FROM push_devices d WHERE uuid = ANY ($1)', [
    uuids,
  ]);
const again = async ({ email }: Account) =>
  (await (await logIn(app, { email, password: goodPassword })).json()) as Account;

test('a token is stored sealed for its row, and stands in no log', async () => {
  const { access_token: token } = await register(app);
  const secret = `marked-${randomUUID()}`;
  const { uuid } = await add(token, secret);
  const [row] = await rows([uuid]);
  expect(row?.text).not.toContain(secret);
  const crypto = createFieldCrypto({ current: app.env['FIELD_ENCRYPTION_KEY'] ?? '' });
  expect(await crypto.open(row?.token ?? '', deviceTokenPurpose(uuid))).toBe(secret);
  await expect(crypto.open(row?.token ?? '', deviceTokenPurpose(randomUUID()))).rejects.toThrow();
  expect(app.output.join('\n')).not.toContain(secret);
});

test('a phone has one registration, that of the account that used it last', async () => {
  const [ann, ben] = [await register(app), await register(app)];
  const phone = `fcm-${randomUUID()}`;
  const first = await add(ann.access_token, phone);
  const second = await add(ben.access_token, phone);
  const left = await rows([first.uuid, second.uuid]);
  expect(left).toHaveLength(1);
  expect(left[0]?.uuid).toBe(second.uuid);
  expect((await remove(ann.access_token, second.uuid)).status).toBe(404);
  expect((await remove(ben.access_token, second.uuid)).status).toBe(204);
  expect((await remove(ben.access_token, second.uuid)).status).toBe(404);
});

test('a phone that is handed on to an account of another clinic gets that account’s messages alone', async () => {
  const elsewhere = await createTenant(app, 'devices-handed-on');
  const [ann, ben] = [await register(app), await register(app, { tenant: 'devices-handed-on' })];
  const [phone, other] = [`fcm-${randomUUID()}`, `fcm-${randomUUID()}`];
  const registrations = async () => {
    const found = await Promise.all(
      [1, elsewhere].map((tenant) =>
        tenantRows<{ uuid: string }>(
          app,
          `SELECT d.uuid FROM push_devices d JOIN users u ON u.id = d.user_id WHERE u.email IN ($1, $2)`,
          [ann.email, ben.email],
          tenant,
        ),
      ),
    );
    return found.flat().map(({ uuid }) => uuid);
  };
  await add(ann.access_token, phone);
  const untouched = await add(ann.access_token, other);
  const handedOn = await add(ben.access_token, phone);
  expect((await registrations()).toSorted()).toEqual([untouched.uuid, handedOn.uuid].toSorted());
  const back = await add(ann.access_token, phone);
  expect((await registrations()).toSorted()).toEqual([untouched.uuid, back.uuid].toSorted());
  const both = await Promise.all([ann, ben, ann, ben].map((account) => add(account.access_token, phone)));
  const left = (await registrations()).filter((uuid) => uuid !== untouched.uuid);
  expect(left).toHaveLength(1);
  expect(both.map(({ uuid }) => uuid)).toContain(left[0]);
});

test('ten registrations of one phone at once leave one', async () => {
  const { access_token: token } = await register(app);
  const phone = `fcm-${randomUUID()}`;
  const made = await Promise.all(Array.from({ length: 10 }, () => add(token, phone)));
  expect(await rows(made.map(({ uuid }) => uuid))).toHaveLength(1);
});

test('a phone that the same account registers again keeps its uuid, to which messages may wait', async () => {
  const [ann, ben] = [await register(app), await register(app)];
  const phone = `fcm-${randomUUID()}`;
  const { uuid } = await add(ann.access_token, phone);
  const later = await again(ann);
  expect(await add(later.access_token, phone)).toMatchObject({ uuid });
  const [row] = await rows([uuid]);
  expect(row?.['session_uuid']).toBe(claimsOf(later.access_token).sid);
  const crypto = createFieldCrypto({ current: app.env['FIELD_ENCRYPTION_KEY'] ?? '' });
  expect(await crypto.open(row?.token ?? '', deviceTokenPurpose(uuid))).toBe(phone);
  // What waits for the former owner reaches no one else.
  expect((await add(ben.access_token, phone)).uuid).not.toBe(uuid);
});

test('an account has 20 devices at most, those seen last', async () => {
  const [ann, ben] = [await register(app), await register(app)];
  const other = await add(ben.access_token);
  const made: string[] = [];
  for (let n = 0; n < 21; n += 1) made.push((await add(ann.access_token)).uuid);
  const left = (await rows([...made, other.uuid])).map(({ uuid }) => uuid);
  expect(left.toSorted()).toEqual([...made.slice(1), other.uuid].toSorted());
  // As many at once: they wait for each other.
  const more = await Promise.all(Array.from({ length: 10 }, () => add(ann.access_token)));
  const uuids = more.map(({ uuid }) => uuid);
  expect(await rows(uuids)).toHaveLength(10);
  expect(await rows([...made, ...uuids])).toHaveLength(20);
});

test('a logout takes the device of its session along, and no other', async () => {
  const home = await register(app);
  const away = await again(home);
  const [kept, gone] = [await add(home.access_token), await add(away.access_token)];
  await app.request('/api/auth/logout', { json: { refresh_token: away.refresh_token } });
  expect((await rows([kept.uuid, gone.uuid])).map(({ uuid }) => uuid)).toEqual([kept.uuid]);
  await app.request('/api/auth/logout-all', { method: 'POST', token: home.access_token });
  expect(await rows([kept.uuid])).toEqual([]);
});

test('a browser whose key is no point of the curve is refused: no message could be sealed for it', async () => {
  const { access_token: access } = await register(app);
  const subscribe = (p256dh: Buffer) =>
    app.request(path, {
      json: {
        platform: 'web',
        token: JSON.stringify({
          endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/x',
          keys: { p256dh: p256dh.toString('base64url'), auth: randomBytes(16).toString('base64url') },
        }),
        app_version: '1.0',
      },
      token: access,
    });
  const point = createECDH('prime256v1').generateKeys();
  expect((await subscribe(point)).status).toBe(201);
  point.writeUInt8(point.readUInt8(64) ^ 1, 64);
  const refused = await subscribe(point);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code: 'validation_error', errors: [{ pointer: '/token' }] });
});

test('a registration that waits for a logout of its session is refused, and leaves no device', async () => {
  const account = await register(app);
  const logout = await openTransaction(app);
  await logout.run(`UPDATE sessions SET revoked_at = now(), revoked_reason = 'logout' WHERE uuid = $1`, [
    claimsOf(account.access_token).sid,
  ]);
  const token = `fcm-${randomUUID()}`;
  const json = { platform: 'android', token, app_version: '1.0' };
  const waiting = app.request(path, { json, token: account.access_token });
  await logout.awaited();
  await logout.commit();
  expect((await waiting).status).toBe(401);
  const left = 'SELECT FROM push_devices WHERE session_uuid = $1';
  expect(await tenantRows(app, left, [claimsOf(account.access_token).sid])).toEqual([]);
});

test('another account and another tenant get the 404 of a device that does not exist', async () => {
  const { uuid } = await add((await register(app)).access_token);
  await createTenant(app, 'devices-elsewhere');
  const bodies = [];
  for (const [account, target] of [
    [await register(app), uuid],
    [await register(app, { tenant: 'devices-elsewhere' }), uuid],
    [await register(app, { role: 'admin' }), uuid],
    [await register(app), randomUUID()],
    [await register(app), 'nonsense'],
  ] as const) {
    const reply = await remove(account.access_token, target);
    bodies.push({ ...((await reply.json()) as object), requestId: '' });
  }
  expect(bodies[0]).toMatchObject({ status: 404, code: 'not_found' });
  for (const body of bodies) expect(body).toEqual(bodies[0]);
  expect(await rows([uuid])).toHaveLength(1);
});
