import { expect, test } from 'vitest';
import { register, tenantRows } from '../../../support/accounts.ts';
import { testApp } from '../../../support/app.ts';
import { newPhysician, queueCases, rowOf, takeNext } from '../../../support/queue-stage.ts';

// A physician goes on vacation and comes back, or an admin says so.

const app = await testApp();
const change = async (token: string, json: object) => {
  const reply = await app.request('/api/v1/backoffice/physicians/activity', { method: 'PATCH', token, json });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};

test('who is away gets no case, keeps the one in hand and gives back what waits for nobody else', async () => {
  const [me, colleague] = [await newPhysician(app), await newPhysician(app)];
  const reserved = { lanePool: `physician:${me.id}`, laneLanguage: 'any', laneUntil: 600 };
  const [inHand = '', waiting = ''] = await queueCases(app, [{ rank: 0 }, reserved]);
  expect(await takeNext(app, me)).toMatchObject({ case: { uuid: inHand } });
  const until = '2099-01-30T00:00:00.000Z';
  const away = { vacation_mode: true, until };
  expect(await change(me.token, { ...away, hand_back: false })).toEqual({
    status: 200,
    body: { ...away, handed_back: 0 },
  });
  expect(await change(me.token, away)).toMatchObject({ status: 200, body: { ...away, handed_back: 1 } });
  expect(await takeNext(app, me)).toMatchObject({ status: 409, code: 'physician_away' });
  expect(await rowOf(app, inHand)).toMatchObject({ status: 'in_review', assigned_physician_id: me.id });
  expect(await takeNext(app, colleague)).toMatchObject({ case: { uuid: waiting } });

  const { access_token: admin } = await register(app, { role: 'admin' });
  const seenBy = async (token: string) => {
    const reply = await app.request('/api/v1/backoffice/physicians/details', {
      method: 'POST',
      token,
      json: { uuids: [me.uuid] },
    });
    return ((await reply.json()) as { items: { vacation_until?: string | null }[] }).items[0]?.vacation_until;
  };
  expect([await seenBy(me.token), await seenBy(admin), await seenBy(colleague.token)]).toEqual([
    until,
    until,
    undefined,
  ]);
  const back = { physician_uuid: me.uuid, vacation_mode: false };
  expect(await change(colleague.token, back)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await change(admin, back)).toMatchObject({
    status: 200,
    body: { vacation_mode: false, until: null },
  });
  expect(await seenBy(me.token)).toBeNull();
  expect(await takeNext(app, me)).toMatchObject({ case: { uuid: inHand }, resumed: true });
  const events = await tenantRows(
    app,
    `SELECT detail FROM event_logs WHERE action = 'physician_activity' AND subject_uuid = $1 AND outcome = 'success'
     ORDER BY id`,
    [me.uuid],
  );
  expect(events.map(({ detail }) => detail)).toEqual([
    { ...away, handed_back: 0 },
    { ...away, handed_back: 1 },
    { vacation_mode: false, until: null, handed_back: 0 },
  ]);
});

test('a vacation that begins while the physician asks for a case hands back what was taken, or lets nothing be taken', async () => {
  const me = await newPhysician(app);
  await queueCases(app, [{ pool: 'hand-clinic', lanePool: `physician:${me.id}`, laneLanguage: 'any' }]);
  const [taken, away] = await Promise.all([takeNext(app, me), change(me.token, { vacation_mode: true })]);
  expect(away.status).toBe(200);
  expect([200, 409]).toContain(taken.status);
  const left = await tenantRows(app, `SELECT FROM request_records WHERE lane_pool = 'physician:' || $1`, [
    String(me.id),
  ]);
  expect(left).toEqual([]);
});

test('a physician whose account has become a patient’s goes on no vacation', async () => {
  const former = await newPhysician(app);
  const { access_token: admin } = await register(app, { role: 'admin' });
  await tenantRows(app, `UPDATE users SET role = 'patient' WHERE id = $1`, [former.userId]);
  expect(await change(admin, { physician_uuid: former.uuid, vacation_mode: true })).toMatchObject({
    status: 404,
    body: { code: 'physician_not_found' },
  });
  const away = 'SELECT FROM physicians WHERE id = $1 AND vacation_mode';
  expect(await tenantRows(app, away, [former.id])).toEqual([]);
});
