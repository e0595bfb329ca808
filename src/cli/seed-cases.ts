// What npm start writes into the database for its demo cases, which the gateway makes: their tenant's parameters, and the
// moves that a patient cannot ask for.
import { sql } from 'kysely';
import { systemActorOf } from '../contract/actor.ts';
import { systemClock } from '../contract/clock.ts';
import { readAnswerRules } from '../domain/answers/annotations/answer-work.ts';
import { publishAnswer } from '../domain/answers/annotations/publish-answer.ts';
import { applyTransition, type Move } from '../domain/cases/record/apply-transition.ts';
import { type CaseChanges, type CaseRecord, lockCase } from '../domain/cases/record/case.queries.ts';
import { type PendingStatus, placeOf } from '../domain/cases/record/case-status.ts';
import { transitionOf } from '../domain/cases/record/transitions.ts';
import { openAudit } from '../domain/platform/events/record-event.ts';
import { createMemory } from '../lib/app/memory.ts';
import type { Db, Tx } from '../lib/db/connect.ts';
import { connectOwner } from '../lib/db/connect-owner.ts';
import { inTenant } from '../lib/db/tenant.ts';
import { createLog } from '../lib/telemetry/log.ts';

/** No undo window ends what a demo case shows. */
const yearsMs = 10 * 365 * 24 * 60 * 60 * 1000;
/** A case in review stays with the demo physician for a working day. */
const leaseMs = 12 * 60 * 60 * 1000;

const log = createLog((_level, line) => console.error(line), 'warn');

/** In the place of a request, in the event log. */
const seeding = { id: 'seedCases', ipPrefix: undefined };

async function inDemoTenant<T>(
  databaseUrl: string,
  work: (tx: Tx, tenantId: number, db: Db) => Promise<T>,
): Promise<T> {
  const db = connectOwner(databaseUrl, 2);
  try {
    const { id } = await db
      .selectFrom('tenants')
      .select('id')
      .where('slug', '=', 'default')
      .executeTakeFirstOrThrow();
    return await inTenant(db, id, (tx) => work(tx, id, db));
  } finally {
    await db.destroy();
  }
}

/**
 * Lets one patient of the demo tenant have many cases.
 * @returns the `client_case_id`s of the demo cases that are there.
 */
export async function openDemoCases(databaseUrl: string): Promise<ReadonlySet<string | null>> {
  return await inDemoTenant(databaseUrl, async (tx, tenantId) => {
    await sql`
      INSERT INTO application_parameters (tenant_id, branch, sub_branch, key, value, visibility)
      VALUES (${tenantId}, 'eligibility', 'rules', 'quota', '{"cases": 1000, "days": 30}', 'internal')
      ON CONFLICT ON CONSTRAINT application_parameters_once DO NOTHING`.execute(tx);
    const rows = await tx
      .selectFrom('request_records')
      .select('client_case_id')
      .where('client_case_id', 'like', 'demo-%')
      .execute();
    return new Set(rows.map((row) => row.client_case_id));
  });
}

/** A move that no route of patients makes. */
export type DemoMove = 'submit' | 'take' | 'refuse' | 'expire' | `hold/${PendingStatus}`;

/**
 * Moves demo cases, each where its first move begins; one that stands elsewhere stays there.
 * @param moves by `client_case_id`.
 */
export async function moveDemoCases(
  databaseUrl: string,
  moves: ReadonlyMap<string, readonly DemoMove[]>,
): Promise<void> {
  await inDemoTenant(databaseUrl, async (tx, tenantId) => {
    const physician = await tx.selectFrom('physicians').select('id').orderBy('id').executeTakeFirstOrThrow();
    const cases = await tx
      .selectFrom('request_records')
      .select(['uuid', 'client_case_id'])
      .where('client_case_id', 'in', [...moves.keys()])
      .execute();
    for (const { uuid, client_case_id: id } of cases) {
      const steps = moves.get(id ?? '') ?? [];
      await moveCase(tx, uuid, { steps, tenantId, physicianId: physician.id });
    }
  });
}

/** @returns the UUIDs of those of the demo cases that a physician has in hand. */
export async function findInReview(databaseUrl: string, ids: readonly string[]): Promise<string[]> {
  return await inDemoTenant(databaseUrl, async (tx) => {
    const rows = await tx
      .selectFrom('request_records')
      .select('uuid')
      .where('status', '=', 'in_review')
      .where('client_case_id', 'in', ids)
      .execute();
    return rows.map(({ uuid }) => uuid);
  });
}

/**
 * Lets the patient read some signed answers at once, as the timer would later, and none of the others.
 * @param published and kept, by `client_case_id`.
 */
export async function settleDemoAnswers(
  databaseUrl: string,
  { published, kept }: { published: readonly string[]; kept: readonly string[] },
): Promise<void> {
  await inDemoTenant(databaseUrl, async (tx, tenantId, db) => {
    const now = new Date();
    const answered = tx
      .selectFrom('request_records')
      .select('uuid')
      .where('status', '=', 'answered')
      .where('client_case_id', 'in', published);
    const rules = await readAnswerRules({ db, clock: systemClock, log, memory: createMemory() }, tenantId);
    const audit = openAudit(undefined, systemActorOf(tenantId), seeding);
    for (const { uuid } of await answered.execute()) {
      const record = await lockCase(tx, uuid);
      if (record !== undefined) await publishAnswer(tx, { audit, now, rules }, record);
    }
    await tx
      .updateTable('request_records')
      .set({ publish_at: new Date(now.getTime() + yearsMs) })
      .where('status', '=', 'answered')
      .where('client_case_id', 'in', kept)
      .where('publish_at', '<', new Date(now.getTime() + yearsMs / 2))
      .execute();
  });
}

interface Walk {
  steps: readonly DemoMove[];
  tenantId: number;
  physicianId: number;
}

async function moveCase(tx: Tx, uuid: string, { steps, tenantId, physicianId }: Walk): Promise<void> {
  let record = await lockCase(tx, uuid);
  const [first] = steps;
  if (record === undefined || first === undefined) return;
  if (!transitionOf(moveOf(first).transition).from.includes(placeOf(record))) return;
  const now = new Date();
  const audit = openAudit(undefined, systemActorOf(tenantId), seeding);
  for (const step of steps) {
    const set = changesOf(step, { record, now, physicianId });
    record = await applyTransition(tx, { audit, now }, record, { ...moveOf(step), set });
  }
}

/** In the name of the first party that may. */
function moveOf(step: DemoMove): Move {
  const [name, pending] = step.split('/') as [Exclude<DemoMove, `hold/${string}`> | 'hold', PendingStatus?];
  const [by] = transitionOf(name).by;
  return {
    transition: name,
    ...(by !== undefined && { by }),
    ...(pending !== undefined && { to: `on_hold/${pending}` as const }),
  };
}

function changesOf(
  step: DemoMove,
  { record, now, physicianId }: { record: CaseRecord; now: Date; physicianId: number },
): CaseChanges {
  switch (step) {
    case 'submit':
      // Not `pending`, so that no timer analyses it.
      return { submitted_at: now, analysis_state: 'none' };
    case 'take':
      return { assigned_physician_id: physicianId, lease_expires_at: new Date(now.getTime() + leaseMs) };
    case 'refuse':
      return {
        eligibility_outcome: 'ineligible',
        eligibility_reasons: ['quota_exceeded'],
        eligibility_checked_at: now,
      };
    case 'expire':
      return { held_at: null, remind_at: null };
    default:
      return { lease_expires_at: null, held_at: record.held_at ?? now };
  }
}
