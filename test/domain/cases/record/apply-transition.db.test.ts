import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemActor } from '../../../../src/contract/actor.ts';
import { openAudit } from '../../../../src/domain/platform/events/record-event.ts';
import { applyTransition } from '../../../../src/domain/cases/record/apply-transition.ts';
import { lockCase } from '../../../../src/domain/cases/record/case.queries.ts';
import { type Place, placeOf, places, standingAt } from '../../../../src/domain/cases/record/case-status.ts';
import {
  type TransitionName,
  transitionNames,
  transitionOf,
} from '../../../../src/domain/cases/record/transitions.ts';
import { connectDatabase, type Tx } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';
import { undoneOn } from '../../../support/undone.ts';

// Every transition from every place, on rows: an edge moves the case and leaves an event, anything else changes nothing.

const { url } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 2, onIdleError: () => undefined });
afterwards(() => pool.end());
const audit = openAudit(undefined, systemActor, { id: 'transitions', ipPrefix: undefined });
const now = new Date();

const undone = undoneOn(db);

/** A case that may stand anywhere: with lane, lease and times. */
async function caseAt(tx: Tx, place: Place): Promise<string> {
  const { status, pendingStatus } = standingAt(place);
  const uuid = randomUUID();
  await sql`
    WITH account AS (
      INSERT INTO users (uuid, tenant_id, email, password_hash, role)
      VALUES (gen_random_uuid(), 1, ${`${uuid}@example.org`}, '!', 'physician') RETURNING id),
    physician AS (
      INSERT INTO physicians (uuid, tenant_id, user_id) SELECT gen_random_uuid(), 1, id FROM account RETURNING id),
    patient AS (
      INSERT INTO patients (uuid, tenant_id, relation) VALUES (gen_random_uuid(), 1, 'other') RETURNING id)
    INSERT INTO request_records (uuid, tenant_id, patient_id, source, status, pending_status, status_changed_at, language,
      lane_pool, lane_language, triage_rank, due_at, assigned_physician_id, lease_expires_at)
    SELECT ${uuid}::uuid, 1, patient.id, 'import', ${status}, ${pendingStatus}, now(), 'en', 'general', 'en', 2, now(), physician.id,
      now() FROM patient, physician`.execute(tx);
  return uuid;
}

const moves = transitionNames.filter((name) => name !== 'create');

async function attempt(place: Place, transition: TransitionName, to: Place | undefined) {
  return await undone(async (tx) => {
    const record = await lockCase(tx, await caseAt(tx, place));
    if (record === undefined) throw new Error('no case');
    const [by] = transitionOf(transition).by;
    const outcome = await applyTransition(tx, { audit, now }, record, {
      transition,
      ...(to !== undefined && { to }),
      ...(by !== undefined && { by }),
    }).catch((error: unknown) => (error as { code?: string }).code);
    if (typeof outcome === 'string' || outcome === undefined) return outcome;
    const { rows } = await sql<{ action: string; detail: { from: string } }>`
      SELECT action, detail FROM event_logs WHERE case_uuid = ${record.uuid}`.execute(tx);
    return { at: placeOf(outcome), version: outcome.version, events: rows };
  });
}

describe.each(places)('%s', (place) => {
  test('every edge moves the case, with one version and one event; nothing else does', async () => {
    for (const name of moves) {
      const { from, to, event } = transitionOf(name);
      const ends = to === 'same' ? [undefined] : to;
      for (const end of ends) {
        const outcome = await attempt(place, name, end);
        if (!from.includes(place)) {
          expect([name, outcome]).toEqual([name, 'case_state_conflict']);
          continue;
        }
        expect([name, outcome]).toEqual([
          name,
          {
            at: end ?? place,
            version: 2,
            events: [
              {
                action: event.success,
                detail: { from: standingAt(place).status, to: standingAt(end ?? place).status, version: 2 },
              },
            ],
          },
        ]);
      }
    }
  });
});

test('the database refuses a queued case without a lane, and an emergency that leaves unseen', async () => {
  const refused = { code: '23514' };
  const broken = (change: ReturnType<typeof sql>) =>
    inTenant(db, 1, async (tx) => {
      const uuid = await caseAt(tx, 'submitted');
      await sql`UPDATE request_records SET ${change} WHERE uuid = ${uuid}`.execute(tx);
    });
  await expect(broken(sql`status = 'queued', lane_pool = NULL`)).rejects.toMatchObject(refused);
  await expect(broken(sql`urgency = 'emergency', status = 'ineligible'`)).rejects.toMatchObject(refused);
  await expect(broken(sql`urgency = 'emergency', status = 'expired'`)).rejects.toMatchObject(refused);
  await expect(broken(sql`status = 'on_hold'`)).rejects.toMatchObject(refused);
  await expect(broken(sql`status = 'in_review', lease_expires_at = NULL`)).rejects.toMatchObject(refused);
});
