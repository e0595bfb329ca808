import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { recordEvent, recordSuccess } from '../../../../src/domain/platform/events/record-event.ts';
import { recordRefusal } from '../../../../src/domain/platform/events/record-refusal.ts';
import { createThrottleKey } from '../../../../src/lib/auth/throttle-key.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { Problem } from '../../../../src/contract/problem.ts';
import { testDatabase } from '../../../support/database.ts';

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 2, onIdleError: () => undefined });
afterAll(() => pool.end());

const tenantId = 1;
const session = '0193a8f0-0000-7000-8000-000000000002';

/** Read where no policy is: rows without a tenant are seen by no tenant. */
async function eventsOf(requestId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await owner.query<Record<string, unknown>>(
    'SELECT * FROM event_logs_auth WHERE request_id = $1 ORDER BY id',
    [requestId],
  );
  return rows;
}

const request = () => ({ id: randomUUID(), ipPrefix: '203.0.113.0/24', receivedAt: new Date() });
const repetition = { key: createThrottleKey('any secret of the installation'), seconds: 900 };

test('what was done is written in the transaction that does it', async () => {
  const [kept, undone] = [request(), request()];
  const event = {
    category: 'auth',
    action: 'did_it',
    subject: { kind: 'user', uuid: session },
    detail: { codes: ['a', 'b'] },
  } as const;
  await inTenant(db, tenantId, (tx) =>
    recordSuccess(tx, { tenantId, userId: 7, sessionUuid: session, request: kept }, event),
  );
  const failing = inTenant(db, tenantId, async (tx) => {
    await recordSuccess(tx, { tenantId, userId: 7, request: undone }, event);
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await eventsOf(kept.id)).toMatchObject([
    {
      tenant_id: tenantId,
      category: 'auth',
      action: 'did_it',
      outcome: 'success',
      actor_user_id: 7,
      actor_kind: 'user',
      session_id: session,
      subject_kind: 'user',
      subject_uuid: session,
      ip_prefix: '203.0.113.0/24',
      detail: { codes: ['a', 'b'] },
    },
  ]);
  expect(await eventsOf(undone.id)).toEqual([]);
});

test('an event of nobody known has no actor and no tenant', async () => {
  const { id: requestId, ipPrefix } = request();
  await recordEvent(db, {
    category: 'auth',
    action: 'x',
    outcome: 'failure',
    tenantId: undefined,
    requestId,
    ipPrefix,
  });
  expect(await eventsOf(requestId)).toMatchObject([
    { tenant_id: null, actor_user_id: null, actor_kind: 'anonymous', detail: {} },
  ]);
});

test('an event of a tenant cannot be written outside of it', async () => {
  const { id: requestId, ipPrefix } = request();
  const event = { category: 'auth', action: 'x', outcome: 'success', tenantId, requestId, ipPrefix } as const;
  await expect(recordEvent(db, event)).rejects.toMatchObject({ code: '42501' });
});

describe('a refusal', () => {
  const refusal = { category: 'auth', action: 'refused_it' } as const;

  test.each([
    ['invalid_credentials', 'denied'],
    ['forbidden', 'denied'],
    ['email_taken', 'failure'],
    ['rate_limited', 'failure'],
  ] as const)('%s is an event with outcome %s and its code', async (code, outcome) => {
    const facts = request();
    await recordRefusal(db, repetition, {
      ...refusal,
      problem: new Problem(code),
      user: undefined,
      trail: {},
      request: facts,
    });
    expect(await eventsOf(facts.id)).toMatchObject([
      { action: 'refused_it', outcome, detail: { code }, tenant_id: null },
    ]);
  });

  test('of a known user names user, tenant and session; the caller wins over the trail', async () => {
    const facts = request();
    const user = { id: 7, tenantId, sessionUuid: session };
    const trail = { tenantId: 99, userId: 8, reason: 'reuse' };
    await recordRefusal(db, repetition, {
      ...refusal,
      problem: new Problem('forbidden'),
      user,
      trail,
      request: facts,
    });
    expect(await eventsOf(facts.id)).toMatchObject([
      {
        tenant_id: tenantId,
        actor_user_id: 7,
        session_id: session,
        detail: { code: 'forbidden', reason: 'reuse' },
      },
    ]);
  });

  test('about an account that somebody tried is kept with that account', async () => {
    const facts = request();
    const trail = { tenantId, userId: 8 };
    await recordRefusal(db, repetition, {
      ...refusal,
      problem: new Problem('invalid_credentials'),
      user: undefined,
      trail,
      request: facts,
    });
    expect(await eventsOf(facts.id)).toMatchObject([{ tenant_id: tenantId, actor_user_id: 8 }]);
  });
});
