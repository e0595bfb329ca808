import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { auditEvents } from '../../../../src/contract/audit.ts';
import type { Role } from '../../../../src/contract/role.ts';
import { applyChange } from '../../../../src/domain/desk/handling/change-pending-statuses.ts';
import type { HandlingRules } from '../../../../src/domain/desk/handling/handling-rules.ts';
import { type Locked, lockForAction } from '../../../../src/domain/desk/handling/lock-for-action.ts';
import { performAction } from '../../../../src/domain/desk/handling/handle-case.ts';
import {
  type StaffAction,
  staffActionNames,
} from '../../../../src/domain/desk/handling/staff-action.schemas.ts';
import { isVisibleNow, lockClaimableCase } from '../../../../src/domain/cases/record/visible-cases.ts';
import { isVisibleTo } from '../../../../src/domain/cases/record/visible-cases.queries.ts';
import { findCase } from '../../../../src/domain/cases/record/case.queries.ts';
import { offeredToStaff, staffActions } from '../../../../src/domain/cases/record/staff-actions.ts';
import { applyTransition } from '../../../../src/domain/cases/record/apply-transition.ts';
import { type Place, places, standingAt } from '../../../../src/domain/cases/record/case-status.ts';
import { parameterSchemas } from '../../../../src/domain/platform/parameters/parameter-schemas.ts';
import { loadStaff } from '../../../../src/domain/identity/groups/staff.ts';
import { openAudit } from '../../../../src/domain/platform/events/record-event.ts';
import type { Context } from '../../../../src/lib/app/context.ts';
import { connectDatabase, type Tx } from '../../../../src/lib/db/connect.ts';
import { accountActor } from '../../../support/account-actor.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';
import { undoneOn } from '../../../support/undone.ts';

// Every status × every kind of caller: what `allowed_actions` offers is done, and what it does not offer is refused.

const { url } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 2, onIdleError: () => undefined });
afterwards(() => pool.end());
const now = new Date();
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const rules: HandlingRules = {
  rules: parameterSchemas['queue/rules'].parse({}),
  sla: parameterSchemas['queue/sla_hours'].parse({}),
  reminderDays: [3, 10],
};

const undone = undoneOn(db);

interface Person {
  userId: number;
  physicianId: number | null;
  physicianUuid: string | null;
  role: Role;
}

async function person(
  tx: Tx,
  role: Role,
  { isPhysician = true, capabilities = [] as string[], isAway = false } = {},
): Promise<Person> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO users (uuid, tenant_id, email, password_hash, role, is_active)
    VALUES (gen_random_uuid(), 1, ${`${randomUUID()}@example.org`}, '!', ${role}, true) RETURNING id`.execute(
    tx,
  );
  const userId = rows[0]?.id as number;
  if (capabilities.length > 0) {
    await sql`WITH made AS (
        INSERT INTO user_groups (uuid, tenant_id, name, settings)
        VALUES (gen_random_uuid(), 1, ${randomUUID()}, ${JSON.stringify({ capabilities })}::jsonb) RETURNING id)
      INSERT INTO user_group_members (tenant_id, group_id, user_id) SELECT 1, id, ${userId}::integer FROM made`.execute(
      tx,
    );
  }
  if (!isPhysician) return { userId, physicianId: null, physicianUuid: null, role };
  const made = await sql<{ id: number; uuid: string }>`
    INSERT INTO physicians (uuid, tenant_id, user_id, vacation_mode) VALUES (gen_random_uuid(), 1, ${userId}, ${isAway})
    RETURNING id, uuid`.execute(tx);
  return { userId, physicianId: made.rows[0]?.id ?? null, physicianUuid: made.rows[0]?.uuid ?? null, role };
}

/** A case that may stand anywhere, with an answer where it has one. */
async function caseAt(tx: Tx, place: Place, owner: Person, leaseEnds: Date): Promise<string> {
  const { status, pendingStatus } = standingAt(place);
  const uuid = randomUUID();
  const isAnswered = status === 'answered' || status === 'closed';
  await sql`
    WITH patient AS (
      INSERT INTO patients (uuid, tenant_id, relation) VALUES (gen_random_uuid(), 1, 'other') RETURNING id)
    INSERT INTO request_records (uuid, tenant_id, patient_id, source, status, pending_status, status_changed_at, language,
      lane_pool, lane_language, triage_level, triage_rank, due_at, assigned_physician_id, lease_expires_at, submitted_at,
      queued_at, closed_at, publish_at, answered_at, analysis_state, eligibility_outcome)
    SELECT ${uuid}::uuid, 1, patient.id, 'import', ${status}, ${pendingStatus}, ${now}, 'en', 'general', 'en', 'routine', 2,
      ${now}, ${owner.physicianId}::integer, ${leaseEnds}, ${status === 'draft' ? null : now}::timestamptz, ${now},
      ${status === 'closed' ? now : null}::timestamptz, ${status === 'answered' ? later(5) : null}::timestamptz,
      ${isAnswered ? now : null}::timestamptz, 'done', 'eligible' FROM patient`.execute(tx);
  if (!isAnswered) return uuid;
  await sql`
    WITH answer AS (
      INSERT INTO dermatologist_annotations (uuid, tenant_id, case_uuid, physician_id, status, language, diagnoses,
        recommended_action, rendered_text, signed_at, published_at)
      VALUES (gen_random_uuid(), 1, ${uuid}, ${owner.physicianId}, 'final', 'en', '[{}]', 'self_care_advice', 'Rest.',
        ${now}, ${status === 'closed' ? now : null}::timestamptz) RETURNING uuid)
    UPDATE request_records SET final_annotation_uuid = answer.uuid FROM answer WHERE request_records.uuid = ${uuid}`.execute(
    tx,
  );
  return uuid;
}

const all = ['case.assign', 'case.cancel', 'case.reopen', 'triage.lower', 'on_call'];

/** Who acts: as the physician of the case, or as another. */
const callers = {
  'its physician': { isTheirs: true, role: 'physician' },
  'its physician, whose lease has ended': { isTheirs: true, role: 'physician', hasLost: true },
  'its physician with every capability': { isTheirs: true, role: 'physician', capabilities: all },
  'a colleague': { isTheirs: false, role: 'physician' },
  'a colleague who is away': { isTheirs: false, role: 'physician', isAway: true },
  'a colleague with every capability': { isTheirs: false, role: 'physician', capabilities: all },
  'an admin': { isTheirs: false, role: 'admin', isPhysician: false },
  'an admin who is its physician': { isTheirs: true, role: 'admin' },
} as const satisfies Record<string, object>;

type Caller = {
  isTheirs: boolean;
  role: 'physician' | 'admin';
  hasLost?: boolean;
  isAway?: boolean;
  isPhysician?: boolean;
  capabilities?: readonly string[];
};

const inputs = (target: string): Record<(typeof staffActionNames)[number], StaffAction> => ({
  claim: { action: 'claim' },
  renew_lease: { action: 'renew_lease' },
  release: { action: 'release', reason: 'other' },
  hold: { action: 'hold', pending_status: 'technical' },
  resume: { action: 'resume' },
  assign: { action: 'assign', physician_uuid: target },
  cancel: { action: 'cancel', reason: 'duplicate' },
  reopen: { action: 'reopen', reason: 'quality_review' },
  undo: { action: 'undo' },
});

const others = ['change_pending_status', 'update_record', 'check_eligibility'] as const;
type Action = (typeof staffActionNames)[number] | (typeof others)[number];
const actions: readonly Action[] = [...staffActionNames, ...others];

interface Scene {
  tx: Tx;
  uuid: string;
  context: Context;
  actor: ReturnType<typeof accountActor>;
  target: string;
}

/** What a route does. @returns where the case stands then, or the code of the refusal. */
async function attempt({ tx, uuid, context, actor, target }: Scene, action: Action): Promise<string> {
  const at = { context, actor };
  const lock = (asked: Parameters<typeof lockForAction>[3]): Promise<Locked> =>
    lockForAction(tx, at, uuid, asked, 1);
  try {
    switch (action) {
      case 'update_record':
      case 'check_eligibility': {
        const { record } = await lock({ action });
        await applyTransition(tx, { audit: context.audit, now }, record, { transition: action, by: 'staff' });
        return 'done';
      }
      case 'change_pending_status': {
        const staff = await loadStaff(tx, actor);
        const seen = await tx
          .selectFrom('request_records')
          .selectAll()
          .where('uuid', '=', uuid)
          .where(isVisibleTo(staff))
          .execute();
        const records = new Map(seen.map((record) => [record.uuid, record]));
        const change = { case_uuid: uuid, version: 1, pending_status: 'awaiting_result' } as const;
        const { ok, code } = await applyChange(tx, { context, staff, records, rules }, change);
        return ok ? 'done' : (code ?? '');
      }
      default: {
        const input = inputs(target)[action];
        await performAction(tx, { context, rules }, await lock(input), input);
        return 'done';
      }
    }
  } catch (error) {
    const { code, status } = error as { code?: string; status?: number };
    if (status === undefined || code === undefined) throw error;
    return `${status} ${code}`;
  }
}

/** What each action does to one and the same case, and whether it was offered. */
async function play(place: Place, caller: Caller) {
  return await undone(async (tx) => {
    const colleague = await person(tx, 'physician');
    const { role, isTheirs, hasLost = false, capabilities = [], ...options } = caller;
    const me = await person(tx, role, { ...options, capabilities: [...capabilities] });
    const uuid = await caseAt(tx, place, isTheirs ? me : colleague, later(hasLost ? -1 : 30));
    const uuids = { uuid: randomUUID(), sessionUuid: randomUUID() };
    const actor = { ...accountActor({ id: me.userId, tenantId: 1, ...uuids }), role };
    const audit = openAudit(auditEvents.caseHandled, actor, { id: 'actions', ipPrefix: undefined });
    const request = { id: 'actions', receivedAt: now, language: 'en' };
    const context = { audit, request } as unknown as Context;
    const target = (await person(tx, 'physician')).physicianUuid ?? '';
    const staff = await loadStaff(tx, actor);
    const [seen] = await tx
      .selectFrom('request_records')
      .selectAll()
      .where('uuid', '=', uuid)
      .where(isVisibleTo(staff))
      .execute();
    const offered: readonly string[] = seen === undefined ? [] : staffActions(staff, seen, now);
    const played: { action: Action; isOffered: boolean; outcome: string; isChanged: boolean }[] = [];
    for (const action of actions) {
      await sql`SAVEPOINT before`.execute(tx);
      const outcome = await attempt({ tx, uuid, context, actor, target }, action);
      const isChanged = (await findCase(tx, uuid))?.version !== 1;
      await sql`ROLLBACK TO SAVEPOINT before`.execute(tx);
      played.push({ action, isOffered: offered.includes(action), outcome, isChanged });
    }
    return played;
  });
}

describe.each(Object.entries<Caller>(callers))('%s', (_name, caller) => {
  test.each(places)('%s', async (place) => {
    const wrong = (await play(place, caller)).filter(({ isOffered, outcome, isChanged }) => {
      if (isOffered) return outcome !== 'done' || !isChanged;
      // A lease that has ended is taken back in the same transaction, which a refusal rolls back.
      const isUntouched = !isChanged || caller.hasLost === true;
      return !/^(?:403|404|409) |^case_/.test(outcome) || !isUntouched;
    });
    expect(wrong).toEqual([]);
  });
});

describe('of a case sees it, or may claim it:', () => {
  type Seen = 'sees' | 'claims' | 'nothing';
  type Who = Omit<Caller, 'role' | 'isTheirs'> & { role?: Role };
  const physician: Who = {};
  const admin: Who = { role: 'admin', isPhysician: false };
  const auditor: Who = { capabilities: ['case.audit'] };
  const onCall: Who = { capabilities: ['on_call'] };
  const mine = 'assigned_physician_id = $physician';
  const elsewhere = `lane_pool = 'elsewhere'`;
  const own = 'account_user_id = $user';
  const made = 'created_by_user_id = $user';

  test.each<[string, Who, Place, string, Seen]>([
    ['a physician, in the own lanes', physician, 'queued', '', 'sees'],
    ['a physician, in another pool', physician, 'queued', elsewhere, 'nothing'],
    ['a physician, in another language', physician, 'queued', `lane_language = 'ar'`, 'nothing'],
    ['a physician, in a colleague’s hand', physician, 'in_review', '', 'nothing'],
    ['a physician, in the own hand', physician, 'in_review', mine, 'sees'],
    ['a physician, of the own account', physician, 'queued', own, 'nothing'],
    [
      'a physician, in the own hand, of the own account',
      physician,
      'in_review',
      `${mine}, ${own}`,
      'nothing',
    ],
    ['a physician, closed by the own hand', physician, 'closed', mine, 'sees'],
    [
      'a physician, closed by the own hand and erased',
      physician,
      'closed',
      `${mine}, erased_at = now()`,
      'nothing',
    ],
    ['a physician, closed by a colleague', physician, 'closed', '', 'nothing'],
    ['a physician, with a draft of the own', physician, 'draft', made, 'sees'],
    ['a physician, with a draft of another', physician, 'draft', '', 'nothing'],
    ['a physician, with a draft of the own that was submitted', physician, 'submitted', made, 'nothing'],
    ['a physician who is a patient now', { role: 'patient' }, 'in_review', mine, 'nothing'],
    ['an auditor, answered by a colleague', auditor, 'answered', '', 'sees'],
    ['an auditor, closed by a colleague', auditor, 'closed', '', 'sees'],
    ['an auditor, of the own account', auditor, 'closed', own, 'nothing'],
    ['an auditor, opened again', auditor, 'queued', `answered_at = now(), ${elsewhere}`, 'nothing'],
    ['an auditor, closed without an answer', auditor, 'closed', 'answered_at = NULL', 'nothing'],
    ['one on call, an emergency elsewhere', onCall, 'queued', `triage_rank = 0, ${elsewhere}`, 'claims'],
    ['one on call, another case elsewhere', onCall, 'queued', `triage_rank = 1, ${elsewhere}`, 'nothing'],
    ['one on call, an emergency in a colleague’s hand', onCall, 'in_review', 'triage_rank = 0', 'nothing'],
    [
      'one on call, an emergency of the own account',
      onCall,
      'queued',
      `triage_rank = 0, ${elsewhere}, ${own}`,
      'nothing',
    ],
    ['a physician, an emergency elsewhere', physician, 'queued', `triage_rank = 0, ${elsewhere}`, 'nothing'],
    ['an admin, anywhere', admin, 'in_review', elsewhere, 'sees'],
    ['an admin, of the own account', admin, 'queued', own, 'nothing'],
    ['an admin, erased', admin, 'closed', 'erased_at = now()', 'nothing'],
    ['an admin, with a draft of another', admin, 'draft', '', 'nothing'],
    ['an admin, with a draft of the own', admin, 'draft', made, 'sees'],
  ])('%s', async (_, { role = 'physician', capabilities = [], ...options }, place, set, expected) => {
    const seen = await undone(async (tx): Promise<Seen> => {
      const colleague = await person(tx, 'physician');
      const me = await person(tx, role, { ...options, capabilities: [...capabilities] });
      const uuid = await caseAt(tx, place, colleague, later(30));
      if (set !== '') {
        const text = set.replaceAll('$user', `${me.userId}`).replaceAll('$physician', `${me.physicianId}`);
        await sql`UPDATE request_records SET ${sql.raw(text)} WHERE uuid = ${uuid}`.execute(tx);
      }
      const ids = { uuid: randomUUID(), sessionUuid: randomUUID() };
      const staff = await loadStaff(tx, { ...accountActor({ id: me.userId, tenantId: 1, ...ids }), role });
      if (await isVisibleNow(tx, staff, uuid)) return 'sees';
      return await lockClaimableCase(tx, staff, uuid).then(
        () => 'claims' as const,
        () => 'nothing' as const,
      );
    });
    expect(seen).toBe(expected);
  });

  test('a physician who has signed an answer sees its case wherever it is', async () => {
    const sees = await undone(async (tx) => {
      const [me, colleague] = [await person(tx, 'physician'), await person(tx, 'physician')];
      const uuid = await caseAt(tx, 'closed', me, later(30));
      await sql`UPDATE request_records SET assigned_physician_id = ${colleague.physicianId}
        WHERE uuid = ${uuid}`.execute(tx);
      const look = async ({ userId: id }: Person) => {
        const actor = accountActor({ id, tenantId: 1, uuid: randomUUID(), sessionUuid: randomUUID() });
        return await isVisibleNow(tx, await loadStaff(tx, { ...actor, role: 'physician' }), uuid);
      };
      return [await look(me), await look(await person(tx, 'physician'))];
    });
    expect(sees).toEqual([true, false]);
  });
});

test('no action is offered that no route takes', () => {
  const known = new Set<string>([...actions, 'sign', 'amend']);
  expect(offeredToStaff.filter((action) => !known.has(action))).toEqual([]);
});
