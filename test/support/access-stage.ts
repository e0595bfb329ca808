import { randomUUID } from 'node:crypto';
import { Capability } from '../../src/domain/identity/groups/capability.ts';
import { claimsOf, createTenant, register, tenantRows } from './accounts.ts';
import { skinPhoto } from './images.ts';
import { newPhysician, type Physician, type QueuedCase, queueCases } from './queue-stage.ts';
import { storePhoto } from './stored-images.ts';
import type { TestApp } from './test-app.ts';

/** A caller of the table; the profile of a physician is absent for those who have none. */
export interface Caller {
  token: string | undefined;
  userId: number | undefined;
  physician: Physician | undefined;
  isAbroad: boolean;
}

/** What a request is about. A staged case has the same UUID as its patient and its batch. */
export interface Thing {
  uuid: string;
  /** What else a request names: an address, a number; about a case the holder. */
  name: string;
  version: number;
}

/** The circumstances of a case; each is made with the statuses, the lease and the annotations that belong to it. */
export type Circumstance = keyof typeof circumstances;

const inHand = `status = 'in_review', lease_expires_at = now() + interval '30 minutes'`;
const held = `status = 'on_hold', pending_status = 'awaiting_result', held_at = now()`;
const signed = `status = 'answered', answered_at = now(), publish_at = now() + interval '5 minutes'`;
const closed = `status = 'closed', answered_at = now(), closed_at = now()`;
const drafted = `status = 'draft', submitted_at = NULL, queued_at = NULL`;
const leaseOver = inHand.replace('30', '-1');

interface Recipe {
  queued?: QueuedCase | ((by: Caller, holder: Physician) => QueuedCase);
  /** Columns of the case; where it has a physician, that is the holder, or whoever is named. */
  set?: string;
  physician?: 'holder' | 'auditor';
  answer?: 'draft' | 'final';
  audit?: { by: 'auditor' | 'reviewer'; status: 'draft' | 'final' };
  hasPhoto?: boolean;
}

const physician = 'holder';
const published = { set: closed, physician, answer: 'final' } as const;
const reservedFor = (id: number): QueuedCase => ({
  rank: 0,
  lanePool: `physician:${id}`,
  laneLanguage: 'any',
  laneUntil: 60,
});

const circumstances = {
  queued: {},
  elsewhere: { queued: { laneLanguage: 'ar' } },
  emergencyElsewhere: { queued: { laneLanguage: 'ar', rank: 0 } },
  reservedForCaller: { queued: ({ physician: by }, { id }) => reservedFor(by?.id ?? id) },
  reservedForHolder: { queued: (_by, { id }) => reservedFor(id) },
  ofCaller: {
    queued: ({ userId, isAbroad }) => (isAbroad || userId === undefined ? {} : { accountUserId: userId }),
  },
  draftOfPatient: { set: drafted },
  inHand: { set: inHand, physician },
  leaseOver: { set: leaseOver, physician },
  leaseOverDraft: { set: leaseOver, physician, answer: 'draft' },
  draft: { set: inHand, physician, answer: 'draft' },
  photographed: { set: inHand, physician, hasPhoto: true },
  onHold: { set: held, physician },
  answered: { set: signed, physician, answer: 'final' },
  published,
  publishedByAuditor: { ...published, physician: 'auditor' },
  toAudit: { ...published, set: `${closed}, audit_state = 'pending'` },
  audited: { ...published, audit: { by: 'auditor', status: 'final' } },
  auditDraft: { ...published, audit: { by: 'auditor', status: 'draft' } },
  auditDraftOfOther: { ...published, audit: { by: 'reviewer', status: 'draft' } },
} as const satisfies Record<string, Recipe>;

/** The people of the access table, and what they ask about. */
export async function accessStage(app: TestApp) {
  await createTenant(app, 'abroad');
  const capabilities = Capability.options.filter((each) => each !== 'case.audit');
  const [patient, adminAbroad, admin] = await Promise.all([
    register(app),
    register(app, { role: 'admin', tenant: 'abroad' }),
    register(app, { role: 'admin' }),
  ]);
  const [abroad, holder, earlier, colleague, lead, auditor, reviewer] = await Promise.all([
    newPhysician(app, { tenant: 'abroad' }),
    newPhysician(app),
    newPhysician(app),
    newPhysician(app),
    newPhysician(app, { capabilities }),
    newPhysician(app, { capabilities: ['case.audit'] }),
    newPhysician(app, { capabilities: ['case.audit'] }),
  ]);
  const idOf = async ({ access_token: token }: { access_token: string }) =>
    (await run<{ id: number }>('SELECT id FROM users WHERE uuid = $1', [claimsOf(token).sub]))[0]?.id;
  const account = async (who: { access_token: string }, isAbroad = false): Promise<Caller> => ({
    token: who.access_token,
    userId: await idOf(who),
    physician: undefined,
    isAbroad,
  });
  const doctor = (who: Physician, isAbroad = false): Caller => ({
    token: who.token,
    userId: who.userId,
    physician: who,
    isAbroad,
  });
  const photo = await storePhoto(app, patient.access_token, await skinPhoto());
  const people: Record<string, Caller> = {
    nobody: { token: undefined, userId: undefined, physician: undefined, isAbroad: false },
    patient: await account(patient),
    'dr-abroad': doctor(abroad, true),
    'adm-abroad': await account(adminAbroad, true),
    holder: doctor(holder),
    earlier: doctor(earlier),
    colleague: doctor(colleague),
    lead: doctor(lead),
    auditor: doctor(auditor),
    admin: await account(admin),
  };
  const ofTenant = { holder, auditor, reviewer };

  async function run<Row extends Record<string, unknown>>(text: string, values: unknown[] = []) {
    return await tenantRows<Row>(app, text, values);
  }

  /** One case for each caller, so that what one of them does changes nothing for the next. */
  async function stageCases(circumstance: Circumstance, by: readonly Caller[]): Promise<Thing[]> {
    const recipe: Recipe = circumstances[circumstance];
    const { queued = {} } = recipe;
    const staged = by.map((caller) => {
      const from = typeof queued === 'function' ? queued(caller, holder) : queued;
      const accountUserId = people['patient']?.userId as number;
      const uuid = randomUUID();
      return { accountUserId, ...from, uuid, batch: uuid };
    });
    await queueCases(app, staged);
    const uuids = staged.map(({ uuid }) => uuid);
    await run(
      `UPDATE patients p SET account_user_id = r.account_user_id FROM request_records r
       WHERE r.patient_id = p.id AND r.uuid = ANY ($1)`,
      [uuids],
    );
    if (recipe.set !== undefined) {
      const { id } = recipe.physician === undefined ? { id: null } : ofTenant[recipe.physician];
      await run(
        `UPDATE request_records SET ${recipe.set}, lane_pool = NULL, lane_language = NULL, assigned_physician_id = $2
         WHERE uuid = ANY ($1)`,
        [uuids, id],
      );
    }
    // Signed, and cancelled as entered in error: by this the case is the earlier physician's to read.
    if (recipe.set !== drafted) await addAnswers(uuids, earlier.id, 'cancelled');
    if (recipe.answer !== undefined) {
      await addAnswers(uuids, ofTenant[recipe.physician ?? 'holder'].id, recipe.answer);
    }
    if (recipe.audit !== undefined) await addAudits(uuids, ofTenant[recipe.audit.by].id, recipe.audit.status);
    if (recipe.hasPhoto === true) {
      await run(
        `INSERT INTO case_images (case_uuid, image_uuid, tenant_id, position, added_at)
         SELECT c, $2, 1, 0, now() FROM unnest($1::uuid[]) c`,
        [uuids, photo.uuid],
      );
    }
    return uuids.map((uuid) => ({ uuid, name: holder.uuid, version: 1 }));
  }

  async function addAnswers(cases: string[], author: number, status: 'draft' | 'final' | 'cancelled') {
    await run(
      `WITH made AS (
         INSERT INTO dermatologist_annotations (uuid, tenant_id, case_uuid, physician_id, status, language, diagnoses,
           recommended_action, rendered_text, image_quality_ok, signed_at, published_at, cancelled_at)
         SELECT gen_random_uuid(), 1, c, $2, $3, 'en',
           '[{"text":"Eczema","is_primary":true,"disease_id":null,"code":"L20","code_system":"icd10","certainty":"probable"}]',
           'self_care_advice', 'x', true, CASE WHEN $3 <> 'draft' THEN now() END, r.closed_at,
           CASE WHEN $3 = 'cancelled' THEN now() END
         FROM unnest($1::uuid[]) c JOIN request_records r ON r.uuid = c RETURNING uuid, case_uuid, status)
       UPDATE request_records r SET final_annotation_uuid = made.uuid FROM made
       WHERE r.uuid = made.case_uuid AND made.status = 'final'`,
      [cases, author, status],
    );
  }

  async function addAudits(cases: string[], auditorId: number, status: 'draft' | 'final') {
    await run(
      `INSERT INTO audit_annotations (uuid, tenant_id, case_uuid, annotation_uuid, auditor_id, status, agreement, signed_at)
       SELECT gen_random_uuid(), 1, r.uuid, r.final_annotation_uuid, $2, $3, 'agree',
         CASE WHEN $3 = 'final' THEN now() END
       FROM request_records r WHERE r.uuid = ANY ($1)`,
      [cases, auditorId, status],
    );
  }

  /** What is left of a row would be in the way of the next: a physician takes one case at a time. */
  async function clearCases(): Promise<void> {
    await run(
      `UPDATE request_records SET status = 'cancelled', pending_status = NULL, lease_expires_at = NULL, lane_pool = NULL,
         lane_language = NULL, assigned_physician_id = NULL, audit_state = 'none'
       WHERE status NOT IN ('cancelled', 'draft')`,
    );
  }

  return { app, people, holder, photo, patient, admin, run, stageCases, clearCases };
}

export type AccessStage = Awaited<ReturnType<typeof accessStage>>;
