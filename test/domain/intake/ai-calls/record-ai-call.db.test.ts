import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { createMemory } from '../../../../src/lib/app/memory.ts';
import { auditEvents } from '../../../../src/contract/audit.ts';
import { openAudit } from '../../../../src/domain/platform/events/record-event.ts';
import { type AiCallRecord, recordAiCall } from '../../../../src/domain/intake/ai-calls/ai-call.queries.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { createTenant } from '../../../support/accounts.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 8, onIdleError: () => undefined });
afterwards(() => pool.end());

const here = await createTenant({ db: owner }, 'here');
const there = await createTenant({ db: owner }, 'there');
const unknown = 9999;

const memory = createMemory();
const request = { id: randomUUID(), language: 'en' as const, ipPrefix: undefined };

function record(tenantId: number, of: Partial<AiCallRecord> = {}) {
  const actor = { kind: 'anonymous', tenantId, ipPrefix: undefined } as const;
  const audit = openAudit(auditEvents.authorizationFailed, actor, request);
  const call = { kind: 'triage', inputSha256: Buffer.alloc(32), outcome: 'ok', latencyMs: 1 } as const;
  return recordAiCall({ db, memory }, { ...call, actor, audit, request, ...of });
}

const counts = () =>
  Promise.all(
    [here, there].map((tenantId) =>
      inTenant(db, tenantId, async (tx) => {
        const results = await tx.selectFrom('ml_diagnosis_results').select('uuid').execute();
        const events = await tx.selectFrom('event_logs').select('subject_uuid').execute();
        expect(new Set(events.map((event) => event.subject_uuid))).toEqual(
          new Set(results.map(({ uuid }) => uuid)),
        );
        expect(events).toHaveLength(results.length);
        return results.length;
      }),
    ),
  );

beforeEach(() => owner.query('TRUNCATE ml_diagnosis_results, event_logs CASCADE'));

test('calls of the same turn of the event loop share a statement, each in its own tenant', async () => {
  const connect = vi.spyOn(pool, 'connect');
  await Promise.all([record(here), record(there), record(here, { outcome: 'timeout' })]);
  expect(connect).toHaveBeenCalledTimes(1);
  connect.mockRestore();
  expect(await counts()).toEqual([2, 1]);
});

test('a call that cannot be stored fails alone', async () => {
  const outcomes = await Promise.allSettled([record(here), record(unknown), record(there)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await counts()).toEqual([1, 1]);
});

test('what joins a call is stored with it or not at all', async () => {
  const joined = record(here, { onRecorded: () => Promise.reject(new Error('no')) });
  await expect(joined).rejects.toThrow('no');
  expect(await counts()).toEqual([0, 0]);
});
