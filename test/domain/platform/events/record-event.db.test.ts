import { accountActor } from '../../../support/account-actor.ts';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import type { Actor } from '../../../../src/contract/actor.ts';
import { openAudit, recordEvent } from '../../../../src/domain/platform/events/record-event.ts';
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
const declared = { category: 'auth', success: 'did_it', refusal: 'refused_it' } as const;
const anonymous: Actor = { kind: 'anonymous', tenantId: undefined, ipPrefix: undefined };
const account = accountActor({
  id: 7,
  uuid: '0193a8f0-0000-7000-8000-000000000003',
  tenantId,
  sessionUuid: session,
});
const repetition = { key: createThrottleKey('any secret of the installation'), seconds: 900 };

test('what was done is written in the transaction that does it', async () => {
  const [kept, undone] = [request(), request()];
  const facts = { subject: { kind: 'user', uuid: session }, detail: { codes: ['a', 'b'] } };
  await inTenant(db, tenantId, (tx) => openAudit(declared, account, kept).succeeded(tx, facts));
  const failing = inTenant(db, tenantId, async (tx) => {
    await openAudit(declared, account, undone).succeeded(tx, facts);
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

test('an event of an unknown caller has no actor and no tenant', async () => {
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

test('ids that the use case names replace those of the actor, in the request’s own terms', async () => {
  const facts = request();
  const audit = openAudit(declared, account, facts);
  const other = { category: 'auth', success: 'did_more', refusal: 'did_more' } as const;
  await inTenant(db, tenantId, (tx) =>
    audit.as(other).denied(tx, { userId: undefined, sessionUuid: undefined }),
  );
  expect(await eventsOf(facts.id)).toMatchObject([
    { action: 'did_more', outcome: 'denied', tenant_id: tenantId, actor_user_id: null, session_id: null },
  ]);
  expect(audit.tenantId).toBe(tenantId);
});

test('an endpoint that declares no action can write no event', () => {
  const audit = openAudit(undefined, account, request());
  expect(() => audit.event('success')).toThrow('declares no audit action');
});

describe('a refusal', () => {
  test.each([
    ['invalid_credentials', 'denied'],
    ['forbidden', 'denied'],
    ['email_taken', 'failure'],
    ['rate_limited', 'failure'],
  ] as const)('%s is an event with outcome %s and its code', async (code, outcome) => {
    const facts = request();
    await recordRefusal(db, repetition, {
      audit: declared,
      problem: new Problem(code),
      actor: anonymous,
      about: {},
      request: facts,
    });
    expect(await eventsOf(facts.id)).toMatchObject([
      { action: 'refused_it', outcome, detail: { code }, tenant_id: null },
    ]);
  });

  test('of a known user names user, tenant and session; the actor wins over what the problem says', async () => {
    await inTenant(db, tenantId, (tx) =>
      sql`INSERT INTO users (uuid, id, tenant_id, email, password_hash, role) OVERRIDING SYSTEM VALUE
        VALUES (${account.uuid}, ${account.id}, ${tenantId}, 'seven@example.org', '!', 'patient')`.execute(
        tx,
      ),
    );
    const facts = request();
    const about = { tenantId: 99, userId: 8, reason: 'reuse' };
    await recordRefusal(db, repetition, {
      audit: declared,
      problem: new Problem('forbidden'),
      actor: account,
      about,
      request: facts,
    });
    expect(await eventsOf(facts.id)).toMatchObject([
      {
        tenant_id: tenantId,
        actor_user_id: 7,
        session_id: session,
        ip_prefix: facts.ipPrefix,
        detail: { code: 'forbidden', reason: 'reuse' },
      },
    ]);
  });

  test('of an account that was erased meanwhile names neither session nor network', async () => {
    const facts = request();
    await recordRefusal(db, repetition, {
      audit: declared,
      problem: new Problem('internal_error'),
      actor: { ...account, id: 9 },
      about: {},
      request: facts,
    });
    expect(await eventsOf(facts.id)).toMatchObject([
      { tenant_id: tenantId, actor_user_id: 9, session_id: null, ip_prefix: null },
    ]);
  });

  test('about an account that a caller tried is stored with that account', async () => {
    const facts = request();
    const about = { tenantId, userId: 8 };
    await recordRefusal(db, repetition, {
      audit: declared,
      problem: new Problem('invalid_credentials'),
      actor: anonymous,
      about,
      request: facts,
    });
    expect(await eventsOf(facts.id)).toMatchObject([{ tenant_id: tenantId, actor_user_id: 8 }]);
  });
});
