import { expect, test } from 'vitest';
import {
  claimsOf,
  createTenant,
  freshAddress,
  freshEmail,
  from,
  logIn,
  me,
  register,
  simultaneously,
  tenantRows,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { anamnesis } from '../../support/diagnosis.ts';
import { skinPhoto } from '../../support/images.ts';
import { storeImages } from '../../support/stored-images.ts';

// Floods leave a row, not a row each; and what is hidden from a caller leaves a trace.

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2', PG_POOL_MAX: '12' } });

interface Event {
  action: string;
  outcome: string;
  detail: Record<string, unknown>;
  actor_user_id: number | null;
  subject_uuid: string | null;
  subject_kind: string | null;
}

/** What the event log says of a network, oldest first. */
async function eventsOf(address: string): Promise<Event[]> {
  const { rows } = await app.db.query<Event>(
    `SELECT action, outcome, detail, actor_user_id, subject_uuid, subject_kind FROM event_logs_auth
     WHERE ip_prefix = $1 ORDER BY id`,
    [`${address.split('.').slice(0, 3).join('.')}.0/24`],
  );
  return rows;
}

const junk = () => ({ json: { refresh_token: `dgr_${'A'.repeat(43)}` } });

test('fifty refused refreshes from one network are one event that counts them, also side by side', async () => {
  const address = freshAddress();
  await app.request('/api/auth/refresh', { ...junk(), headers: from(address) });
  expect(await eventsOf(address)).toMatchObject([
    { action: 'session_renewal_fail', detail: { code: 'refresh_token_invalid', reason: 'unknown' } },
  ]);
  const second = await anotherInstance(app);
  await simultaneously(49, (index) =>
    (index % 2 ? app : second).request('/api/auth/refresh', { ...junk(), headers: from(address) }),
  );
  const events = await eventsOf(address);
  expect(events).toHaveLength(1);
  expect(events[0]?.detail).toEqual({
    code: 'refresh_token_invalid',
    reason: 'unknown',
    count: 50,
    last_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
});

test('other kinds, other accounts and other networks are events of their own', async () => {
  const address = freshAddress();
  const [first, second] = [await register(app), await register(app)];
  const guess = (email: string, at = address) => logIn(app, { email, password: 'a wrong guess' }, at);
  for (const email of [
    first.email,
    second.email,
    freshEmail('unknown'),
    freshEmail('unknown'),
    first.email,
  ]) {
    await guess(email);
  }
  await app.request('/api/auth/refresh', { ...junk(), headers: from(address) });
  expect((await eventsOf(address)).map(({ action, detail }) => [action, detail['count']])).toEqual([
    ['authn_login_fail', 2],
    ['authn_login_fail', undefined],
    ['authn_login_fail', 2],
    ['session_renewal_fail', undefined],
  ]);
  const elsewhere = freshAddress();
  await guess(first.email, elsewhere);
  expect(await eventsOf(elsewhere)).toHaveLength(1);
});

test('after the window a refusal is a new event', async () => {
  const address = freshAddress();
  const send = () => app.request('/api/auth/refresh', { ...junk(), headers: from(address) });
  await send();
  await send();
  await app.db.query(`UPDATE refusal_windows SET window_ends_at = now() - interval '1 ms'`);
  await send();
  await send();
  await send();
  expect((await eventsOf(address)).map(({ detail }) => detail['count'])).toEqual([2, 3]);
});

test('requests for links to addresses without an account are one event of their network', async () => {
  const address = freshAddress();
  for (let request = 0; request < 4; request += 1) {
    await app.request('/api/auth/request-reset', {
      json: { email: freshEmail('nobody') },
      headers: from(address),
    });
  }
  await expect
    .poll(async () => (await eventsOf(address)).map(({ action, detail }) => [action, detail['count']]))
    .toEqual([['authn_password_reset_requested', 4]]);
});

test('the app can change nothing in the event log but the count of a refusal', async () => {
  const account = await register(app, { email: freshEmail('logged') });
  await logIn(app, { ...account, password: 'a wrong guess' });
  const client = await app.db.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL ROLE dermagate_app');
    const rows = await client.query<{ id: string; at: Date; outcome: string }>(
      `SELECT set_config('app.tenant', '1', true)`,
    );
    expect(rows.rowCount).toBe(1);
    const { rows: events } = await client.query<{ id: string; at: string; outcome: string }>(
      `SELECT id, at::text, outcome FROM event_logs WHERE category = 'auth' AND tenant_id = 1 ORDER BY id DESC LIMIT 20`,
    );
    const count = async (outcome: string) => {
      const event = events.find((each) => each.outcome === outcome);
      const { rows: counted } = await client.query(
        `SELECT count_refusal('auth', $1, $2::timestamptz, now()) AS counted`,
        [event?.id, event?.at],
      );
      return (counted as { counted: boolean }[])[0]?.counted;
    };
    expect(await count('denied')).toBe(true);
    expect(await count('success')).toBe(false);
    for (const statement of [
      `UPDATE event_logs SET detail = '{}'`,
      `DELETE FROM event_logs`,
      `UPDATE event_logs_auth SET detail = '{}'`,
    ]) {
      await client.query('SAVEPOINT attempt');
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
      await client.query('ROLLBACK TO attempt');
    }
    await expect(
      client.query(`SELECT count_refusal('auth_default; DROP TABLE users', 1, now(), now())`),
    ).rejects.toThrow('not a category');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('a refused look at another’s image is an event with the image, also across tenants; looks of one caller are one event', async () => {
  await createTenant(app, 'other');
  const owner = await register(app);
  const { images } = await storeImages(app, owner.access_token, [await skinPhoto()]);
  const uuid = images[0]?.uuid as string;
  for (const tenant of ['default', 'other']) {
    const stranger = await register(app, { tenant });
    const address = freshAddress();
    const look = (path: string) =>
      app.request(path, { token: stranger.access_token, headers: from(address) });
    for (let round = 0; round < 3; round += 1) {
      expect((await look(`/api/common/images/${uuid}`)).status).toBe(404);
    }
    const { sub } = claimsOf(stranger.access_token);
    const events = await eventsOf(address);
    expect(events).toMatchObject([
      {
        action: 'authz_fail',
        outcome: 'denied',
        actor_user_id: expect.any(Number),
        subject_kind: 'image',
        subject_uuid: uuid,
        detail: { code: 'not_found', count: 3 },
      },
    ]);
    expect(sub).not.toBe(claimsOf(owner.access_token).sub);
  }
  const own = freshAddress();
  expect(
    (await app.request(`/api/common/images/${uuid}`, { token: owner.access_token, headers: from(own) }))
      .status,
  ).toBe(200);
  expect(await eventsOf(own)).toEqual([]);
});

test('naming another’s image to the AI routes is an event, too', async () => {
  const owner = await register(app);
  const { images } = await storeImages(app, owner.access_token, [await skinPhoto({ seed: 2 })]);
  const uuid = images[0]?.uuid as string;
  const url = `/api/common/images/${uuid}`;
  const stranger = await register(app);
  const sends: [string, object, number][] = [
    ['/api/ai/image_validity', { imageUrl: url }, 404],
    ['/api/ai/triage', { ...anamnesis, images: [{ url, kind: 'close_up' }] }, 422],
  ];
  for (const [path, json, status] of sends) {
    const address = freshAddress();
    const reply = await app.request(path, { json, token: stranger.access_token, headers: from(address) });
    expect([reply.status, await reply.text()]).toEqual([status, expect.any(String)]);
    expect(await eventsOf(address)).toMatchObject([{ action: 'authz_fail', subject_uuid: uuid }]);
  }
});

test('a caller without a token who names a user’s image causes an event, too', async () => {
  const open = await anotherInstance(app, { PUBLIC_AI_ROUTES: 'true' });
  const owner = await register(app);
  const { images } = await storeImages(app, owner.access_token, [await skinPhoto({ seed: 4 })]);
  const uuid = images[0]?.uuid as string;
  const address = freshAddress();
  const reply = await open.request('/api/ai/image_validity', {
    json: { imageUrl: `/api/common/images/${uuid}` },
    headers: from(address),
  });
  expect(reply.status).toBe(404);
  expect(await eventsOf(address)).toMatchObject([
    {
      action: 'authz_fail',
      outcome: 'denied',
      actor_user_id: null,
      subject_kind: 'image',
      subject_uuid: uuid,
    },
  ]);
});

test('ending another’s session is an event; ending one’s own again is none', async () => {
  const [user, victim] = [await register(app), await register(app)];
  const address = freshAddress();
  const end = (id: string) =>
    app.request(`/api/auth/sessions/${id}`, {
      method: 'DELETE',
      token: user.access_token,
      headers: from(address),
    });
  const own = (await (await logIn(app, user)).json()) as { access_token: string };
  const { sid } = claimsOf(own.access_token);
  expect((await end(sid)).status).toBe(204);
  expect((await end(sid)).status).toBe(404);
  expect((await eventsOf(address)).filter(({ action }) => action === 'authz_fail')).toEqual([]);
  const foreign = claimsOf(victim.access_token).sid;
  expect((await end(foreign)).status).toBe(404);
  expect((await eventsOf(address)).at(-1)).toMatchObject({
    action: 'authz_fail',
    outcome: 'denied',
    subject_kind: 'session',
    subject_uuid: foreign,
  });
  expect((await me(app, victim.access_token)).status).toBe(200);
});

test('an image that its owner has deleted hides nothing', async () => {
  const owner = await register(app);
  const { images } = await storeImages(app, owner.access_token, [await skinPhoto({ seed: 3 })]);
  const uuid = images[0]?.uuid as string;
  await tenantRows(app, 'UPDATE images SET deleted_at = now() WHERE uuid = $1', [uuid]);
  const address = freshAddress();
  const reply = await app.request(`/api/common/images/${uuid}`, {
    token: owner.access_token,
    headers: from(address),
  });
  expect(reply.status).toBe(404);
  expect(await eventsOf(address)).toEqual([]);
});
