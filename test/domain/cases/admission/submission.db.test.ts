import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { changeCaseStatus } from '../../../../src/domain/cases/patient/change-case-status.ts';
import { createCase } from '../../../../src/domain/cases/patient/create-case.ts';
import { readMobileCase } from '../../../../src/domain/cases/patient/read-case.ts';
import { updateCase } from '../../../../src/domain/cases/patient/update-case.ts';
import { BlobUnavailable } from '../../../../src/lib/blob/blob-store.ts';
import { anamnesis, emergencyAnamnesis } from '../../../support/diagnosis.ts';
import { caseStage, type Draft } from '../../../support/case-stage.ts';
import {
  type AiRoute,
  type Behaviour,
  cut,
  GOOD_REPLIES,
  hang,
  json,
  text,
} from '../../../support/fake-ai.ts';

// What becomes of a case after its patient has submitted it, with every behaviour of the AI service.

const stage = await caseStage();
const { service, submit, draft, read, later, tick } = stage;

beforeEach(() => {
  service.reset();
  stage.patient();
  stage.lines.length = 0;
});

const analysesDue = () =>
  stage.rows<{ available_at: Date }>(`SELECT available_at FROM outbox_messages WHERE consumer = 'analysis'`);
const hours = (record: { due_at: Date | null; submitted_at: Date | null }) =>
  ((record.due_at?.getTime() ?? 0) - (record.submitted_at?.getTime() ?? 0)) / 3_600_000;

/** Asked by a physician, who has seen the case in the queue. */
const heldByPhysician = (one: Draft) =>
  stage.rows(
    `UPDATE request_records SET status = 'on_hold', pending_status = 'awaiting_patient', held_at = now(),
       lane_pool = NULL, lane_language = NULL WHERE uuid = $1`,
    [one.uuid],
  );

const mole = {
  ...anamnesis,
  complaint: { category: 'growth_or_mole', duration: 'three_to_twelve_months' },
  lesion: { colors: ['black', 'brown'], shape: 'irregular', sizeMm: 9, changes: ['size', 'color'] },
};
const zoster = {
  patient: { ageYears: 71, gender: 'male' },
  complaint: { category: 'rash', duration: 'less_than_one_week', onsetSpeed: 'days' },
  locations: [{ primary: 'head_neck', secondary: 'forehead', side: 'right' }],
  lesion: {
    lesionTypes: ['vesicle'],
    distribution: 'unilateral',
    arrangement: 'grouped',
    eyeSymptoms: ['pain', 'light_sensitivity'],
  },
  symptoms: { emergency: ['none'], local: ['pain', 'burning'], systemic: ['none'] },
};
const petechiae = {
  reporter: 'parent_guardian',
  patient: { ageYears: 0, ageMonths: 8, gender: 'female' },
  complaint: { category: 'rash', duration: 'one_day', onsetSpeed: 'hours' },
  locations: [{ primary: 'leg', side: 'both' }],
  lesion: { lesionTypes: ['macule'], colors: ['purple'], blanching: 'non_blanching' },
  symptoms: { emergency: ['none'], local: ['none'], systemic: ['fever'], temperatureC: 39.2 },
};

describe('urgent flags of a case that staff submit reach its patient by a message', () => {
  const messages = async ({ uuid }: Draft) =>
    (
      await stage.rows<{ consumer: string }>(
        `SELECT consumer FROM outbox_messages
         WHERE payload ->> 'kind' = 'flags_found' AND payload ->> 'case_uuid' = $1 ORDER BY consumer`,
        [uuid],
      )
    ).map(({ consumer }) => consumer);
  const foundByOurRules = () => draft({ anamnesis: emergencyAnamnesis });
  const foundByTheService = () => {
    const found = { hasRedFlags: true, flags: ['suspected_sepsis'], urgency: 'emergency' };
    service.on('red_flags', json({ ...GOOD_REPLIES.red_flags, ...found }));
    return draft();
  };

  test.each([
    ['our own rules', foundByOurRules],
    ['the AI service', foundByTheService],
  ])('found by %s; a patient who submits has them in the reply', async (_by, make) => {
    const [ofStaff, own] = [await make(), await make()];
    const staff = { ...(await draft()).actor, role: 'admin' } as const;
    await submit({ ...ofStaff, actor: staff });
    await submit(own);
    expect(await read(ofStaff)).toMatchObject({ urgency: 'emergency' });
    expect(await messages(ofStaff)).toEqual(['mail', 'push']);
    expect(await messages(own)).toEqual([]);
  });
});

test('blob storage that never answers holds up no worker beyond its deadline, and loses no case', async () => {
  for (const route of ['predict_diagnosis', 'image_validity'] as const) service.on(route, text('no', 503));
  const one = await draft();
  await submit(one);
  const { blobs } = stage.work;
  const { get } = blobs;
  onTestFinished(() => void (blobs.get = get));
  const ends: unknown[] = [];
  blobs.get = (_name, _range, endedBy) =>
    new Promise((_resolve, reject) => {
      endedBy?.addEventListener('abort', () => {
        ends.push(endedBy.reason);
        reject(new BlobUnavailable(endedBy.reason));
      });
    });
  service.reset();
  stage.impatient();
  later(1);
  await tick();
  expect(ends).toMatchObject([{ name: 'TimeoutError' }]);
  expect(await read(one)).toMatchObject({ status: 'submitted', analysis_state: 'pending' });
  blobs.get = get;
  stage.patient();
  later(5);
  await tick();
  expect(await read(one)).toMatchObject({ status: 'queued', analysis_state: 'done' });
});

test('a case that nothing speaks against is queued while its patient waits', async () => {
  const one = await draft();
  const reply = await submit(one);
  expect(reply).toMatchObject({ status: 'submitted', analysis_state: 'pending', consent_version: '1' });
  const queued = await read(one);
  expect(queued).toMatchObject({
    status: 'queued',
    analysis_state: 'done',
    eligibility_outcome: 'eligible',
    eligibility_reasons: [],
    triage_level: 'routine',
    triage_rank: 2,
    lane_pool: 'general',
    lane_language: 'en',
    top_disease: 'atopic_dermatitis',
  });
  expect(hours(queued)).toBe(120);
  expect(await stage.actions(one)).toEqual([
    'case_created',
    'case_submitted',
    'case_ai_asked',
    'case_ai_asked',
    'case_analysed',
    'case_queued',
  ]);
  expect(await analysesDue()).toEqual([]);
  expect(
    await stage.rows(
      `SELECT kind, anamnesis, anamnesis_revision, outcome FROM ml_diagnosis_results WHERE case_uuid = $1 ORDER BY kind`,
      [one.uuid],
    ),
  ).toEqual([
    { kind: 'diagnosis', anamnesis: null, anamnesis_revision: 1, outcome: 'ok' },
    { kind: 'image_validity', anamnesis: null, anamnesis_revision: 1, outcome: 'ok' },
  ]);
  expect(
    await stage.rows(`SELECT outcome, reasons FROM user_check_logs WHERE case_uuid = $1`, [one.uuid]),
  ).toEqual([{ outcome: 'eligible', reasons: [] }]);
});

test.each([
  [1e-50, 0],
  [1e-45, 1e-45],
  [5e-324, 0],
  [0.1 + 0.2, 0.3],
])('a case whose most probable disease has the probability %d is queued', async (probability, stored) => {
  const predictions = [{ disease: 'psoriasis', probability, confidence: 'low' }];
  service.on('predict_diagnosis', json({ ...GOOD_REPLIES.predict_diagnosis, predictions }));
  const one = await draft();
  await submit(one);
  expect(await read(one)).toMatchObject({
    status: 'queued',
    analysis_state: 'done',
    top_disease: 'psoriasis',
    top_probability: stored,
  });
});

test('the AI service is asked in the language of the case', async () => {
  const one = await draft({ language: 'ar' });
  await submit(one);
  expect(new Set(service.calls.map(({ headers }) => headers['accept-language']))).toEqual(new Set(['ar']));
});

describe('the AI service at its worst', () => {
  const misbehaviours: [string, Behaviour][] = [
    ['refuses', text('down', 503)],
    ['hangs', hang],
    ['dies', cut],
    ['lies', json({ hasRedFlags: 'no', isValid: 1, predictions: 'none', priority: 'whenever' })],
  ];
  const routes: AiRoute[] = ['predict_diagnosis', 'red_flags', 'image_validity', 'triage'];
  const cases = misbehaviours.flatMap(([does, behaviour]) =>
    routes.map((route) => [route, does, behaviour] as const),
  );

  test.each(cases)(
    '%s %s: the case is there and a human looks within 24 hours',
    async (route, _does, behaviour) => {
      if (behaviour === hang) stage.impatient();
      service.on(route, behaviour);
      const one = await draft();
      await submit(one);
      expect(await read(one)).toMatchObject({ status: 'submitted', analysis_state: 'pending' });
      later(16);
      await tick();
      const queued = await read(one);
      expect(queued).toMatchObject({
        status: 'queued',
        analysis_state: 'degraded',
        triage_level: 'urgent_24h',
        triage_rank: 1,
      });
      expect(hours(queued)).toBe(24);
      expect(await analysesDue()).toEqual([]);
    },
  );

  test('an emergency by our own rules stays one, and is known at once', async () => {
    for (const route of routes) service.on(route, cut);
    const one = await draft({ anamnesis: emergencyAnamnesis });
    const reply = await submit(one);
    expect(reply).toMatchObject({ urgency: 'emergency', has_red_flags: true, triage_level: 'emergency' });
    // Neither attempt nor timer ends the analysis at once; in a minute a physician can see the case.
    later(0.5);
    await tick();
    expect(await read(one)).toMatchObject({ status: 'submitted', analysis_state: 'pending' });
    later(0.75);
    await tick();
    const queued = await read(one);
    expect(queued).toMatchObject({ status: 'queued', triage_level: 'emergency', triage_rank: 0 });
    const emergencies = (await stage.actions(one)).filter((action) => action === 'case_emergency');
    expect(emergencies).toHaveLength(1);
    expect(hours(queued)).toBe(1);
  });

  const sepsis = json({ hasRedFlags: true, flags: ['possible_sepsis'], urgency: 'emergency' });
  const newsOf = async (one: Draft) => {
    const rows = await stage.rows<{ kind: string }>(
      `SELECT DISTINCT payload ->> 'kind' AS kind FROM outbox_messages
       WHERE payload ->> 'case_uuid' = $1 AND payload ->> 'kind' IS NOT NULL ORDER BY 1`,
      [one.uuid],
    );
    return rows.map(({ kind }) => kind);
  };
  const knownEmergency = {
    urgency: 'emergency',
    urgent_flags: ['possible_sepsis'],
    triage_level: 'emergency',
    triage_rank: 0,
  };

  test.each(misbehaviours.filter(([does]) => does !== 'hangs'))(
    'a photo route that %s: what the other routes have answered counts at once, and when the analysis ends',
    async (_does, behaviour) => {
      await stage.setRule('eligibility/rules/membership', 'external_id');
      try {
        service.on('red_flags', sepsis);
        service.on('image_validity', behaviour);
        const one = await draft();
        await submit(one);
        const pending = await read(one);
        expect(pending).toMatchObject({
          ...knownEmergency,
          status: 'submitted',
          analysis_state: 'pending',
          top_disease: 'atopic_dermatitis',
        });
        expect(await newsOf(one)).toContain('emergency');
        const shown = await readMobileCase(stage.contextOf(one.actor), one.actor, one.uuid);
        expect(shown.advice).toMatchObject({ urgency: 'emergency' });

        later(16);
        await tick();
        expect(await read(one)).toMatchObject({
          ...knownEmergency,
          status: 'queued',
          analysis_state: 'degraded',
          ml_result_uuid: pending.ml_result_uuid,
          // Refused, were it not for the emergency.
          eligibility_reasons: expect.arrayContaining(['not_a_member', 'emergency_override']) as string[],
        });
        expect(pending.ml_result_uuid).not.toBeNull();
        expect((await stage.actions(one)).filter((action) => action === 'case_emergency')).toHaveLength(1);
      } finally {
        await stage.setRule('eligibility/rules/membership', 'none');
      }
    },
  );

  test('the end of an analysis records what was answered before, after a process has lost it', async () => {
    service.on('red_flags', sepsis);
    service.on('image_validity', cut);
    const one = await draft();
    await submit(one);
    // As a process leaves it that ends between the answer and the record.
    await stage.rows(
      `UPDATE request_records SET red_flags = '{}', urgent_flags = '{}', urgency = NULL, triage_level = NULL,
         triage_rank = NULL, ml_result_uuid = NULL WHERE uuid = $1`,
      [one.uuid],
    );
    later(16);
    await tick();
    const queued = await read(one);
    expect(queued).toMatchObject({ ...knownEmergency, status: 'queued', analysis_state: 'degraded' });
    expect(queued.ml_result_uuid).not.toBeNull();
    expect(await newsOf(one)).toEqual(expect.arrayContaining(['emergency', 'flags_found']));
  });

  test.each([
    ['predict_diagnosis', 'refuses', text('down', 404)],
    ['predict_diagnosis', 'dies', cut],
    ['triage', 'refuses', text('down', 404)],
    ['triage', 'dies', cut],
  ] as const)('%s %s: the red flags that were answered count', async (route, _does, behaviour) => {
    const isFailed = () =>
      stage.lines.some((line) => line.includes('ai_call_failed') && line.includes(`"${route}"`));
    service.on(route, behaviour);
    // Slower than the failure of the other route.
    service.on('red_flags', async (call, response) => {
      await vi.waitUntil(isFailed, { timeout: 8000, interval: 5 });
      await sepsis(call, response);
    });
    const one = await draft();
    await submit(one);
    expect(await read(one)).toMatchObject({ ...knownEmergency, analysis_state: 'pending' });
    expect(await newsOf(one)).toContain('emergency');
    later(16);
    await tick();
    expect(await read(one)).toMatchObject({
      ...knownEmergency,
      status: 'queued',
      analysis_state: 'degraded',
      ml_result_uuid: null,
    });
  });

  test('findings of an analysis that goes on do not postpone its end', async () => {
    service.on('image_validity', json({ isValid: false, score: 0.2, issues: ['blurry'] }));
    const one = await draft();
    await submit(one);
    service.on('image_validity', cut);
    service.on('triage', cut);
    await stage.attachPhoto(one, `better of ${one.uuid}`);
    await stage.rows(
      `INSERT INTO request_anamneses (case_uuid, revision, tenant_id, anamnesis, sha256, schema_version, author_kind)
       SELECT case_uuid, 2, tenant_id, anamnesis, sha256, schema_version, author_kind FROM request_anamneses
       WHERE case_uuid = $1`,
      [one.uuid],
    );
    await stage.rows('UPDATE request_records SET anamnesis_revision = 2 WHERE uuid = $1', [one.uuid]);
    await submit(one);
    const replied = await read(one);
    expect(replied).toMatchObject({ status: 'on_hold', analysis_state: 'pending', urgent_flags: [] });
    service.on('red_flags', json({ hasRedFlags: true, flags: ['spreading'], urgency: 'high' }));
    later(10);
    await tick();
    const known = { urgency: 'high', urgent_flags: ['spreading'], triage_level: 'urgent_24h' };
    const found = await read(one);
    expect(found).toMatchObject({ ...known, status: 'on_hold', analysis_state: 'pending' });
    expect(found.updated_at).toEqual(replied.updated_at);
    // News of one version are sent once: those of a second finding would be dropped.
    expect(found.version).toBe(replied.version + 1);
    expect(await newsOf(one)).toContain('flags_found');
    later(3);
    await tick();
    // The same finding again changes nothing that its patient's devices have read.
    expect(await read(one)).toMatchObject({ ...known, status: 'on_hold', version: found.version });
    later(3);
    await tick();
    expect(await read(one)).toMatchObject({ ...known, status: 'queued', analysis_state: 'degraded' });
  });

  test('an emergency that the AI service finds later is in the queue at once', async () => {
    service.on('red_flags', cut);
    service.on('triage', cut);
    const one = await draft();
    await submit(one);
    service.on('red_flags', sepsis);
    later(10);
    await tick();
    expect(await read(one)).toMatchObject({
      ...knownEmergency,
      status: 'queued',
      analysis_state: 'degraded',
    });
  });

  test('a service that recovers is asked again for what is missing, and for nothing else', async () => {
    service.on('image_validity', text('down', 503));
    const one = await draft();
    await submit(one);
    expect(await read(one)).toMatchObject({ status: 'submitted', analysis_state: 'pending' });
    service.reset();
    later(1);
    await tick();
    expect(await read(one)).toMatchObject({ status: 'queued', analysis_state: 'done' });
    expect(service.calls.map(({ route }) => route)).toEqual(['image_validity']);
  });

  test('attempts come after 10 s, 30 s, 2 min and 5 min', async () => {
    service.on('triage', text('down', 503));
    const one = await draft();
    await submit(one);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const [message] = await analysesDue();
      const waitMs = (message?.available_at.getTime() ?? 0) - stage.clock.now().getTime();
      waits.push(Math.round(waitMs / 1000 / 10) * 10);
      later(waitMs / 60_000);
      await stage.outbox.drain();
    }
    expect(waits).toEqual([10, 30, 120, 300, 300]);
    later(5);
    await tick();
    expect(await read(one)).toMatchObject({ status: 'queued', analysis_state: 'degraded' });
  });
});

test('a case whose message was lost is found by the timer', async () => {
  service.on('triage', cut);
  const one = await draft();
  await submit(one);
  await stage.owner.query('DELETE FROM outbox_messages');
  service.reset();
  later(14);
  await tick();
  expect(await read(one)).toMatchObject({ status: 'submitted' });
  later(2);
  await tick();
  expect(await read(one)).toMatchObject({ status: 'queued', analysis_state: 'degraded' });
});

test('a case that was opened again is asked about by its message alone, until its own time is over', async () => {
  service.on('triage', text('down', 503));
  const one = await draft();
  await submit(one);
  later(60 * 24);
  // As staff open a case again that had ended before it was analysed.
  await stage.rows('UPDATE request_records SET status_changed_at = $2, updated_at = $2 WHERE uuid = $1', [
    one.uuid,
    stage.clock.now(),
  ]);
  await stage.owner.query('DELETE FROM outbox_messages');
  const asked = service.calls.length;
  later(14);
  await tick();
  expect(service.calls).toHaveLength(asked);
  expect(await read(one)).toMatchObject({ status: 'submitted', analysis_state: 'pending' });
  later(2);
  await tick();
  expect(service.calls).toHaveLength(asked);
  expect(await read(one)).toMatchObject({ status: 'queued', analysis_state: 'degraded' });
});

test('an answer of an earlier release that cannot be read any more holds up no case', async () => {
  for (const route of ['predict_diagnosis', 'image_validity'] as const) service.on(route, cut);
  const [again, ended] = [await draft(), await draft()];
  for (const one of [again, ended]) {
    await submit(one);
    await stage.rows(
      `INSERT INTO ml_diagnosis_results (uuid, tenant_id, case_uuid, anamnesis_revision, kind, input_sha256, answer, outcome,
         latency_ms, language, request_id)
       VALUES (gen_random_uuid(), 1, $1, 1, 'diagnosis', sha256('x'), '{"findings": []}', 'ok', 1, 'en', 'earlier')`,
      [one.uuid],
    );
  }
  await stage.rows(
    `UPDATE request_records SET submitted_at = submitted_at - interval '16 minutes',
    status_changed_at = status_changed_at - interval '16 minutes' WHERE uuid = $1`,
    [ended.uuid],
  );
  service.reset();
  later(1);
  await tick();
  expect(await read(again)).toMatchObject({ status: 'queued', analysis_state: 'done' });
  expect(await read(ended)).toMatchObject({ status: 'queued', analysis_state: 'degraded' });
});

test('flags of the AI service that come after the reply are on record, an emergency as an event of its own', async () => {
  const found = { code: 'possible_sepsis', text: 'x', urgency: 'emergency', certainty: 'met' };
  service.on(
    'red_flags',
    json({ hasRedFlags: true, flags: ['possible_sepsis'], urgency: 'emergency', flagDetails: [found] }),
  );
  const one = await draft();
  expect(await submit(one)).toMatchObject({ has_red_flags: false });
  const queued = await read(one);
  expect(queued).toMatchObject({ status: 'queued', triage_rank: 0, urgent_flags: ['possible_sepsis'] });
  expect(queued.red_flags).toContain('possible_sepsis');
  expect(await stage.actions(one)).toContain('case_emergency');
});

describe('what must be complete', () => {
  const refusal = async (promise: Promise<unknown>) =>
    await promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  test('an incomplete case names everything that is missing, and stays a draft', async () => {
    const one = await draft({ anamnesis: { patient: { ageYears: 41 } }, photos: [] });
    const error = (await refusal(submit(one))) as { code: string; errors: { pointer: string }[] };
    expect(error.code).toBe('case_incomplete');
    expect(error.errors.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining(['/anamnesis/patient/gender', '/anamnesis/symptoms', '/images']),
    );
    expect(await read(one)).toMatchObject({ status: 'draft', version: 1, has_red_flags: false });
    expect(await analysesDue()).toEqual([]);
  });

  test('an older consent is refused with the version that is wanted', async () => {
    const one = await draft({ anamnesis: emergencyAnamnesis });
    expect(await refusal(submit(one, { version: '0' }))).toMatchObject({
      code: 'consent_outdated',
      members: { version: '1' },
    });
    expect(await read(one)).toMatchObject({ status: 'draft' });
  });

  test('an emergency needs consent alone; what is missing is asked for while it waits', async () => {
    const one = await draft({ anamnesis: { symptoms: { emergency: ['difficulty_breathing'] } }, photos: [] });
    await submit(one);
    expect(await read(one)).toMatchObject({
      status: 'queued',
      triage_rank: 0,
      eligibility_outcome: 'eligible',
    });
    const { eligibility_reasons: reasons } = await read(one);
    expect(reasons).toEqual(expect.arrayContaining(['photos_missing', 'emergency_override']));
    expect(await stage.messages(one)).toEqual([['answers_missing', 'photos_missing']]);
  });
});

describe('the age of a baby is that of the birth date', () => {
  const bornDaysAgo = (days: number) =>
    new Date(stage.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);
  const toddler = {
    ...anamnesis,
    reporter: 'parent_guardian',
    patient: { ageYears: 1, ageMonths: 14, gender: 'female' },
    lesion: { lesionTypes: ['macule'], colors: ['red'], blanching: 'blanches' },
    symptoms: { emergency: ['none'], local: ['none'], systemic: ['fever'], temperatureC: 38.4 },
  };
  const draftOf = (days: number, answers: object = toddler) =>
    draft({ anamnesis: answers, relation: 'child', birthDate: bornDaysAgo(days) });
  const answersOf = async (one: Draft) => {
    const [row] = await stage.rows<{ patient: object; author: number }>(
      `SELECT anamnesis -> 'patient' AS patient, author_user_id AS author FROM request_anamneses
       JOIN request_records ON uuid = case_uuid AND revision = anamnesis_revision WHERE uuid = $1`,
      [one.uuid],
    );
    return row;
  };
  const newborn = { patient: { ageYears: 0, ageMonths: 1, gender: 'female' } };
  const emergency = { urgency: 'emergency', urgent_flags: ['infant_fever_or_blisters'], triage_rank: 0 };
  const edit = async (one: Draft, changes: object) => {
    const { version } = await read(one);
    const input = { uuid: one.uuid, submit: false, ...changes };
    await updateCase(stage.contextOf(one.actor), one.actor, input, version);
  };

  test('a toddler with fever is no emergency', async () => {
    const one = await draftOf(430);
    await submit(one);
    expect(await read(one)).toMatchObject({ urgent_flags: [] });
  });

  test('after a draft was given to a younger sibling', async () => {
    const one = await draftOf(430);
    const [sibling] = await stage.rows<{ uuid: string }>(
      `INSERT INTO patients (uuid, tenant_id, account_user_id, relation, birth_date)
       VALUES (gen_random_uuid(), 1, $1, 'child', $2) RETURNING uuid`,
      [one.actor.id, bornDaysAgo(38)],
    );
    await edit(one, { patient_uuid: sibling?.uuid });
    expect(await answersOf(one)).toMatchObject(newborn);
    await submit(one);
    expect(await read(one)).toMatchObject(emergency);
  });

  test('although a parent states one year', async () => {
    const one = await draftOf(38);
    await edit(one, { anamnesis: { ...toddler, patient: { ageYears: 1, gender: 'female' } } });
    expect(await answersOf(one)).toMatchObject(newborn);
  });

  test('which was corrected in the profile after the draft', async () => {
    const one = await draftOf(430);
    await stage.rows('UPDATE patients SET birth_date = $2 WHERE id = $1', [one.patientId, bornDaysAgo(38)]);
    const submitted = await submit(one);
    expect(submitted).toMatchObject({ ...emergency, anamnesis_revision: 2 });
    expect(await answersOf(one)).toEqual({ ...newborn, author: one.actor.id });
  });

  test('which was corrected before the reply to a physician', async () => {
    const one = await draftOf(430);
    await submit(one);
    await heldByPhysician(one);
    await stage.rows('UPDATE patients SET birth_date = $2 WHERE id = $1', [one.patientId, bornDaysAgo(38)]);
    await edit(one, { message: 'Since Monday.', submit: true });
    expect(await read(one)).toMatchObject({ ...emergency, status: 'queued', anamnesis_revision: 2 });
  });

  test('and a contradiction of more than a year stops a submission, but no emergency', async () => {
    const one = await draftOf(3000);
    await expect(submit(one)).rejects.toMatchObject({ code: 'age_mismatch' });
    expect(await read(one)).toMatchObject({ status: 'draft', anamnesis_revision: 1 });
    const urgent = await draftOf(38, { ...toddler, patient: { ageYears: 3, gender: 'female' } });
    await submit(urgent);
    expect(await read(urgent)).toMatchObject({ ...emergency, status: 'queued' });
    expect(await answersOf(urgent)).toMatchObject(newborn);
  });
});

test('a birth date of more than 121 years ago, which no age in the answers can match, stops no submission', async () => {
  const answers = { ...anamnesis, reporter: 'parent_guardian', patient: { gender: 'female' } };
  const one = await draft({ anamnesis: answers, relation: 'child', birthDate: '1900-01-01' });
  const shown = { ...answers, patient: { gender: 'female', ageYears: 120 } };
  const input = { uuid: one.uuid, submit: false, anamnesis: shown };
  await updateCase(stage.contextOf(one.actor), one.actor, input, (await read(one)).version);
  await submit(one);
  expect(await read(one)).toMatchObject({ status: 'queued' });
});

describe('photos that cannot be judged', () => {
  const blurry = json({ isValid: false, score: 0.2, issues: ['blurry'] });

  test('are asked for again; the reply is analysed and queued, and the time on hold does not count', async () => {
    service.on('image_validity', blurry);
    const one = await draft();
    await submit(one);
    expect(await read(one)).toMatchObject({
      status: 'on_hold',
      pending_status: 'awaiting_patient',
      eligibility_reasons: ['retake_photos', 'retake_photos:blurry'],
    });
    expect(await stage.messages(one)).toEqual([['retake_photos', 'retake_photos:blurry']]);

    later(60);
    service.reset();
    await stage.attachPhoto(one, `another of ${one.uuid}`);
    await submit(one);
    const queued = await read(one);
    expect(queued).toMatchObject({ status: 'queued', analysis_state: 'done', held_at: null });
    expect(Math.round(hours(queued))).toBe(121);
    expect(service.calls.map(({ route }) => route)).toEqual(['image_validity']);
  });

  test('and the reply is queued in the pool that staff have chosen, else in that of its patient', async () => {
    const pools: string[] = [];
    for (const chosen of ['hand-clinic', undefined]) {
      service.on('image_validity', blurry);
      const one = await draft({ pool: 'vip' });
      await submit(one);
      if (chosen !== undefined) {
        await stage.rows('UPDATE request_records SET pool = $2 WHERE uuid = $1', [one.uuid, chosen]);
      }
      service.reset();
      await stage.attachPhoto(one, `another of ${one.uuid}`);
      await submit(one);
      const { status, pool, lane_pool: lane } = await read(one);
      pools.push(`${status} ${pool} ${lane}`);
    }
    expect(pools).toEqual(['queued hand-clinic hand-clinic', 'queued vip vip']);
  });

  test('and the reply is queued although the AI service is away', async () => {
    service.on('image_validity', blurry);
    const one = await draft();
    await submit(one);
    later(60);
    service.on('image_validity', cut);
    await stage.attachPhoto(one, `another of ${one.uuid}`);
    await submit(one);
    expect(await read(one)).toMatchObject({ status: 'on_hold', analysis_state: 'pending' });
    later(16);
    await tick();
    expect(await read(one)).toMatchObject({ status: 'queued', analysis_state: 'degraded', triage_rank: 1 });
  });
});

describe('eligibility', () => {
  test('a sixth case within a month is refused, unless it is urgent', async () => {
    const first = await draft();
    await submit(first);
    for (let n = 2; n <= 5; n += 1) await submit(await draft({ like: first }));
    const sixth = await draft({ like: first });
    await submit(sixth);
    expect(await read(sixth)).toMatchObject({
      status: 'ineligible',
      eligibility_reasons: ['quota_exceeded'],
    });
    await stage.rows(
      `UPDATE request_records SET queued_at = queued_at - interval '31 days' WHERE uuid = $1 RETURNING uuid`,
      [first.uuid],
    );
    const next = await draft({ like: first });
    await submit(next);
    expect(await read(next)).toMatchObject({ status: 'queued' });
    const urgent = await draft({ like: first, anamnesis: emergencyAnamnesis });
    await submit(urgent);
    expect(await read(urgent)).toMatchObject({
      status: 'queued',
      eligibility_reasons: ['quota_exceeded', 'emergency_override'],
    });
  });

  test('the same complaint with the same photos is a duplicate of the first', async () => {
    const first = await draft({ photos: ['a', 'b'] });
    await submit(first);
    const again = await draft({ like: first, photos: ['b', 'a'] });
    await submit(again);
    expect(await read(again)).toMatchObject({
      status: 'ineligible',
      eligibility_reasons: [`duplicate_case:${first.uuid}`],
    });
    const other = await draft({ like: first, photos: ['a'] });
    await submit(other);
    expect(await read(other)).toMatchObject({ status: 'queued' });
  });

  test.each([
    [
      'was cancelled',
      `UPDATE request_records SET status = 'cancelled', lane_pool = NULL, lane_language = NULL WHERE uuid = $1`,
    ],
    [
      'is older than a week',
      `UPDATE request_records SET submitted_at = submitted_at - interval '8 days' WHERE uuid = $1`,
    ],
    [
      'has lost a photo',
      `UPDATE case_images SET removed_at = now() WHERE case_uuid = $1
         AND image_uuid = (SELECT image_uuid FROM case_images WHERE case_uuid = $1 LIMIT 1)`,
    ],
    [
      'was for another complaint in the end',
      `WITH later AS (UPDATE request_records SET anamnesis_revision = 2 WHERE uuid = $1 RETURNING uuid)
       INSERT INTO request_anamneses (case_uuid, revision, tenant_id, anamnesis, sha256, schema_version, author_kind)
       SELECT case_uuid, 2, tenant_id, jsonb_set(anamnesis, '{complaint,category}', '"other"'), sha256, schema_version, author_kind
       FROM request_anamneses WHERE case_uuid = $1 AND revision = 1 AND (SELECT count(*) FROM later) = 1`,
    ],
  ])('is a duplicate of no case that %s', async (how, change) => {
    const photos = [how, `${how}, too`];
    const first = await draft({ photos });
    await submit(first);
    await stage.rows(change, [first.uuid]);
    const again = await draft({ like: first, photos });
    await submit(again);
    expect(await read(again)).toMatchObject({ status: 'queued' });
  });

  test('of two that wait to be judged the later one is the duplicate, in whatever order they are judged', async () => {
    await stage.setRule('eligibility/rules/membership', 'service');
    try {
      service.on('membership', text('down', 503));
      const first = await draft({ externalId: 'member-twice', photos: ['twice'] });
      await submit(first);
      const again = await draft({ like: first, photos: ['twice'] });
      await submit(again);
      service.on('membership', json({ eligible: true }));
      later(2);
      await tick();
      expect(await read(first)).toMatchObject({ status: 'queued' });
      expect(await read(again)).toMatchObject({
        status: 'ineligible',
        eligibility_reasons: expect.arrayContaining([`duplicate_case:${first.uuid}`]) as string[],
      });
    } finally {
      await stage.setRule('eligibility/rules/membership', 'none');
    }
  });

  test('two of the same at the same time do not refuse each other', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const one = await draft({ photos: [`at once ${turn}`] });
      const other = await draft({ like: one, photos: [`at once ${turn}`] });
      await Promise.all([submit(one), submit(other)]);
      const standings = [(await read(one)).status, (await read(other)).status];
      expect(standings).toContain('queued');
    }
  });

  test('a minor with an account of their own needs a guardian, by the birth date', async () => {
    const answers = { ...anamnesis, patient: { ...(anamnesis['patient'] as object), ageYears: 15 } };
    const one = await draft({ birthDate: `${new Date().getFullYear() - 15}-01-01`, anamnesis: answers });
    await submit(one);
    expect(await read(one)).toMatchObject({ status: 'on_hold', eligibility_reasons: ['guardian_required'] });
  });

  test('an id that is named for a child counts where the clinic knows the account', async () => {
    await stage.setRule('eligibility/rules/membership', 'external_id');
    try {
      const stranger = await draft({ relation: 'child', externalId: 'member-7' });
      await submit(stranger);
      expect(await read(stranger)).toMatchObject({
        status: 'ineligible',
        eligibility_reasons: ['not_a_member'],
      });

      const parent = await draft({ externalId: 'family-1' });
      const [child] = await stage.rows<{ id: string }>(
        `INSERT INTO patients (uuid, tenant_id, account_user_id, relation)
         SELECT gen_random_uuid(), tenant_id, account_user_id, 'child' FROM patients WHERE id = $1 RETURNING id`,
        [parent.patientId],
      );
      const known = await draft({ like: { ...parent, patientId: Number(child?.id) } });
      await submit(known);
      expect(await read(known)).toMatchObject({ status: 'queued' });
    } finally {
      await stage.setRule('eligibility/rules/membership', 'none');
    }
  });

  test('an answer about a patient judges no other one, whom the case is about meanwhile', async () => {
    await stage.setRule('eligibility/rules/membership', 'service');
    try {
      const one = await draft({ externalId: 'member-before' });
      const other = await draft({ externalId: 'member-after' });
      service.on(
        'membership',
        async (call, response) => {
          await stage.rows(
            'UPDATE request_records SET patient_id = $2, version = version + 1 WHERE uuid = $1',
            [one.uuid, other.patientId],
          );
          await json({ eligible: false, reason: 'lapsed' })(call, response);
        },
        json({ eligible: true }),
      );
      await submit(one);
      expect(await read(one)).toMatchObject({ status: 'submitted', eligibility_outcome: null });
      later(1);
      await tick();
      expect(await read(one)).toMatchObject({ status: 'queued', eligibility_reasons: [] });
      const asked = service.calls.filter(({ route }) => route === 'membership');
      expect(asked.map(({ body }) => JSON.parse(body.toString()) as unknown)).toMatchObject([
        { external_id: 'member-before' },
        { external_id: 'member-after' },
      ]);
    } finally {
      await stage.setRule('eligibility/rules/membership', 'none');
    }
  });

  test('a service that cannot be reached is asked for an hour; then a human looks', async () => {
    await stage.setRule('eligibility/rules/membership', 'service');
    try {
      service.on('membership', text('down', 503));
      const one = await draft({ externalId: 'member-1', pool: 'vip' });
      await submit(one);
      expect(await read(one)).toMatchObject({ status: 'submitted', eligibility_outcome: 'undetermined' });
      later(30);
      await tick();
      expect(await read(one)).toMatchObject({ status: 'submitted', eligibility_outcome: 'undetermined' });
      later(31);
      await tick();
      expect(await read(one)).toMatchObject({
        status: 'queued',
        lane_pool: 'vip',
        pool: 'vip',
        eligibility_reasons: ['membership_unverified', 'eligibility_unverified'],
      });

      const two = await draft({ externalId: 'member-2' });
      await submit(two);
      service.on('membership', json({ eligible: false, reason: 'lapsed' }));
      later(1);
      await tick();
      expect(await read(two)).toMatchObject({
        status: 'ineligible',
        eligibility_reasons: ['not_a_member:lapsed'],
      });
    } finally {
      await stage.setRule('eligibility/rules/membership', 'none');
    }
  });
});

describe('answers that change while they are analysed', () => {
  const revise = async (one: Draft) => {
    await stage.rows(
      `INSERT INTO request_anamneses (case_uuid, revision, tenant_id, anamnesis, sha256, schema_version, author_kind)
       SELECT case_uuid, revision + 1, tenant_id, anamnesis, sha256, schema_version, author_kind
       FROM request_anamneses WHERE case_uuid = $1 ORDER BY revision DESC LIMIT 1`,
      [one.uuid],
    );
    await stage.rows(
      `UPDATE request_records SET anamnesis_revision = anamnesis_revision + 1, version = version + 1 WHERE uuid = $1`,
      [one.uuid],
    );
  };
  /** Asked for a better photo, with which its patient now sends other answers. */
  const replying = async () => {
    service.on('image_validity', json({ isValid: false, score: 0.2, issues: ['blurry'] }));
    const one = await draft();
    await submit(one);
    service.reset();
    await revise(one);
    await stage.attachPhoto(one, `better of ${one.uuid}`);
    return one;
  };

  test('are analysed again', async () => {
    const one = await replying();
    service.on(
      'triage',
      async (call, response) => {
        await revise(one);
        await json(GOOD_REPLIES.triage)(call, response);
      },
      json(GOOD_REPLIES.triage),
    );
    await submit(one);
    expect(await read(one)).toMatchObject({ status: 'on_hold', analysis_state: 'pending' });
    later(1);
    await tick();
    expect(await read(one)).toMatchObject({
      status: 'queued',
      analysis_state: 'done',
      anamnesis_revision: 3,
    });
  });

  test('have no flag that was found in those before, of an analysis that has failed in part', async () => {
    const one = await replying();
    service.on('red_flags', json({ hasRedFlags: true, flags: ['possible_sepsis'], urgency: 'emergency' }));
    service.on('triage', async (call, response) => {
      await revise(one);
      await text('down', 404)(call, response);
    });
    await submit(one);
    const pending = { status: 'on_hold', analysis_state: 'pending', anamnesis_revision: 3 };
    expect(await read(one)).toMatchObject({ ...pending, urgency: 'low', urgent_flags: [] });
    service.reset();
    later(1);
    await tick();
    expect(await read(one)).toMatchObject({ status: 'queued', analysis_state: 'done', urgent_flags: [] });
  });
});

describe('once', () => {
  test('twenty parallel submissions of one case submit it once', async () => {
    const one = await draft();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => submit(one)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const actions = await stage.actions(one);
    expect(actions.filter((action) => action === 'case_submitted')).toHaveLength(1);
    expect(actions.filter((action) => action === 'case_queued')).toHaveLength(1);
    expect(service.calls.filter(({ route }) => route === 'predict_diagnosis')).toHaveLength(1);
  });

  test('five workers and the timers at once take each case once', async () => {
    service.on('triage', cut);
    const many = await Promise.all(Array.from({ length: 6 }, () => draft()));
    for (const one of many) await submit(one);
    service.reset();
    later(16);
    await Promise.all([tick(), tick(), tick(), tick(), tick()]);
    for (const one of many) {
      const actions = await stage.actions(one);
      expect(actions.filter((action) => action === 'case_queued')).toHaveLength(1);
      expect(actions.filter((action) => action === 'case_analysed')).toHaveLength(1);
    }
  });

  test('a case that its patient cancels meanwhile is left alone', async () => {
    service.on('triage', cut);
    const one = await draft();
    await submit(one);
    await stage.rows(`UPDATE request_records SET status = 'cancelled' WHERE uuid = $1`, [one.uuid]);
    service.reset();
    later(16);
    await tick();
    expect(await read(one)).toMatchObject({ status: 'cancelled' });
    expect(service.calls).toEqual([]);
  });
});

test('neither log nor events, checks or messages hold anything that a patient said or is called', async () => {
  const marker = 'zq17marker';
  const answers = { ...anamnesis, complaint: { ...(anamnesis['complaint'] as object), description: marker } };
  await stage.setRule('eligibility/rules/membership', 'service');
  try {
    const lies = json({ hasRedFlags: marker, isValid: marker, predictions: marker, eligible: marker });
    // The AI service repeats free text where codes belong, and more than an event has room for.
    const flags = [...Array.from({ length: 500 }, (_, n) => `flag_${n}_${'x'.repeat(40)}`), `says ${marker}`];
    service.on('red_flags', json({ hasRedFlags: true, flags, urgency: 'medium' }));
    service.on('image_validity', json({ isValid: false, score: 0, issues: [`saw ${marker}`, 'blurry'] }));
    const repeated = await draft({ anamnesis: answers, externalId: marker });
    await submit(repeated);
    expect(await read(repeated)).toMatchObject({ status: 'on_hold', analysis_state: 'done' });
    service.reset();
    for (const route of ['predict_diagnosis', 'red_flags', 'image_validity', 'membership'] as const) {
      service.on(route, lies);
      await submit(await draft({ anamnesis: answers, externalId: `${marker}-${route}` }));
      later(61);
      await tick();
      service.reset();
    }
  } finally {
    await stage.setRule('eligibility/rules/membership', 'none');
  }
  expect(service.calls.length + stage.lines.length).toBeGreaterThan(5);
  const stored = await Promise.all(
    ['event_logs', 'user_check_logs', 'outbox_messages', 'case_messages'].map((table) =>
      stage.rows<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} AS t`),
    ),
  );
  expect(stored[0]?.length).toBeGreaterThan(20);
  const texts = [...stage.lines, ...stored.flat().map(({ row }) => row)];
  expect(texts.filter((text) => text.includes(marker))).toEqual([]);
});

describe('while the AI service is silent the gateway knows by its own rules', () => {
  test.each([
    ['a suspicious mole', mole, {}, 'suspicious_pigmented_lesion', 'soon_2_weeks', 24],
    ['shingles near the eye', zoster, {}, 'ophthalmic_zoster', 'urgent_24h', 24],
    [
      'an infant with fever and petechiae',
      petechiae,
      { relation: 'child', pool: 'children', language: 'he' },
      'non_blanching_rash_unwell',
      'emergency',
      1,
    ],
  ] as const)('%s', async (_title, answers, options, flag, level, due) => {
    for (const route of ['red_flags', 'triage', 'predict_diagnosis'] as const) service.on(route, cut);
    const one = await draft({ anamnesis: answers, ...options });
    const reply = await submit(one);
    expect(reply).toMatchObject({ has_red_flags: true, triage_level: level });
    expect(reply.red_flags).toContain(flag);
    later(16);
    await tick();
    const queued = await read(one);
    expect(queued).toMatchObject({
      status: 'queued',
      lane_pool: 'pool' in options ? options.pool : 'general',
      lane_language: 'language' in options ? options.language : 'en',
    });
    expect(hours(queued)).toBe(due);
  });
});

describe('answers that a patient changes on hold, without submitting them', () => {
  const emergency = { status: 'queued', urgency: 'emergency', triage_level: 'emergency', triage_rank: 0 };
  const edit = async (one: Draft, answers: Record<string, unknown>) => {
    const { version } = await read(one);
    const changed = { uuid: one.uuid, anamnesis: answers, submit: false };
    return await updateCase(stage.contextOf(one.actor), one.actor, changed, version);
  };
  const heldForPhotos = async () => {
    service.on('image_validity', json({ isValid: false, score: 0.2, issues: ['blurry'] }));
    const one = await draft();
    await submit(one);
    expect(await read(one)).toMatchObject({ status: 'on_hold', queued_at: null });
    return one;
  };
  const emergencyNews = (one: Draft) =>
    stage.rows(
      `SELECT FROM outbox_messages WHERE payload ->> 'kind' = 'emergency' AND payload ->> 'case_uuid' = $1`,
      [one.uuid],
    );

  test('an emergency waits no longer for a reply to a physician, and is reserved for none', async () => {
    const one = await draft();
    await submit(one);
    await heldByPhysician(one);
    const reply = await edit(one, emergencyAnamnesis);
    expect(reply).toMatchObject({ patient_status: 'waiting', advice: { urgency: 'emergency' } });
    const queued = await read(one);
    expect(queued).toMatchObject({ ...emergency, lane_pool: 'general', held_at: null, remind_at: null });
    expect(queued.due_at?.getTime()).toBeLessThanOrEqual((queued.queued_at?.getTime() ?? 0) + 3_600_000);
    expect((await stage.actions(one)).filter((action) => action === 'case_emergency')).toHaveLength(1);
    expect(await emergencyNews(one)).not.toEqual([]);
  });

  test('what a physician has asked can still be sent from the queue, until the patient has replied', async () => {
    const one = await draft();
    await submit(one);
    await heldByPhysician(one);
    const asked = await edit(one, emergencyAnamnesis);
    expect(asked).toMatchObject({ patient_status: 'waiting', allowed_actions: ['update', 'cancel'] });
    expect((await read(one)).eligibility_reasons).toEqual(['physician_asked']);
    // Saved once more, it is not the reply yet.
    expect(await edit(one, emergencyAnamnesis)).toMatchObject({ allowed_actions: ['update', 'cancel'] });
    const { version } = await read(one);
    const words = { uuid: one.uuid, message: 'Since Monday.', submit: true };
    const replied = await updateCase(stage.contextOf(one.actor), one.actor, words, version);
    expect(replied).toMatchObject({ patient_status: 'waiting', allowed_actions: ['cancel'] });
    expect(replied.messages).toContainEqual(expect.objectContaining({ text: 'Since Monday.' }));
    expect((await read(one)).eligibility_reasons).toEqual([]);
    await expect(edit(one, anamnesis)).rejects.toMatchObject({ code: 'case_state_conflict' });
  });

  test('an emergency in the queue that waited for one physician is any physician’s at once, and due within the hour', async () => {
    const one = await draft();
    await submit(one);
    await stage.rows(
      `UPDATE request_records SET lane_pool = 'physician:1', lane_language = 'any', lane_until = now() + interval '20 hours',
         eligibility_reasons = '{physician_asked}' WHERE uuid = $1`,
      [one.uuid],
    );
    await edit(one, emergencyAnamnesis);
    const queued = await read(one);
    expect(queued).toMatchObject({
      ...emergency,
      lane_pool: 'general',
      lane_language: 'en',
      lane_until: null,
      eligibility_reasons: ['physician_asked'],
    });
    expect(queued.due_at?.getTime()).toBeLessThanOrEqual(queued.updated_at.getTime() + 3_600_000);
    expect(await emergencyNews(one)).not.toEqual([]);
  });

  test('an emergency waits no longer for better photos, which stay asked for', async () => {
    const one = await heldForPhotos();
    const reply = await edit(one, emergencyAnamnesis);
    expect(reply).toMatchObject({ advice: { urgency: 'emergency' }, allowed_actions: ['update', 'cancel'] });
    expect(await read(one)).toMatchObject({
      ...emergency,
      analysis_state: 'done',
      eligibility_reasons: ['retake_photos', 'retake_photos:blurry', 'emergency_override'],
    });
  });

  test('an emergency without a consent to the current text is known, and waits for the consent alone', async () => {
    const one = await heldForPhotos();
    await stage.rows(`UPDATE request_records SET consent_version = '0' WHERE uuid = $1`, [one.uuid]);
    expect(await edit(one, emergencyAnamnesis)).toMatchObject({
      patient_status: 'action_needed',
      advice: { urgency: 'emergency' },
    });
    expect(await read(one)).toMatchObject({ ...emergency, status: 'on_hold' });
    expect(await stage.actions(one)).toContain('case_emergency');
    expect(await emergencyNews(one)).not.toEqual([]);
    const { version } = await read(one);
    const consent = { version: '1', accepted: true } as const;
    await updateCase(
      stage.contextOf(one.actor),
      one.actor,
      { uuid: one.uuid, consent, submit: false },
      version,
    );
    expect(await read(one)).toMatchObject(emergency);
  });

  test('what a rule cannot exclude leaves the rank to the reply, which finds the case more urgent', async () => {
    const one = await draft();
    await submit(one);
    await heldByPhysician(one);
    await edit(one, {
      symptoms: { emergency: ['none'], systemic: ['none'] },
      lesion: { lesionTypes: ['bulla'] },
    });
    const held = await read(one);
    expect(held).toMatchObject({ status: 'on_hold', triage_level: 'urgent_24h', triage_rank: 2 });
  });

  test('a lesser danger is on record while the case stays on hold', async () => {
    const one = await heldForPhotos();
    expect(await edit(one, mole)).toMatchObject({
      patient_status: 'action_needed',
      advice: { flagDetails: [{ code: 'suspicious_pigmented_lesion' }] },
    });
    const held = await read(one);
    expect(held).toMatchObject({ status: 'on_hold', has_red_flags: true, triage_level: 'soon_2_weeks' });
  });

  test('and answers that are harmless again lower nothing', async () => {
    const one = await heldForPhotos();
    await edit(one, mole);
    await edit(one, anamnesis);
    expect(await read(one)).toMatchObject({ status: 'on_hold', triage_level: 'soon_2_weeks' });
  });
});

describe('the outbox is kicked for those who are on call as soon as the request is stored', () => {
  /** The context of a request, with a count of the kicks. */
  function counting({ actor }: Draft) {
    const kicks = { count: 0 };
    const outbox = { ...stage.outbox, kick: () => void (kicks.count += 1) };
    return { context: { ...stage.contextOf(actor), outbox }, kicks };
  }

  test('a patient cancels an emergency', async () => {
    const one = await draft({ anamnesis: emergencyAnamnesis });
    await submit(one);
    const { context, kicks } = counting(one);
    await changeCaseStatus(context, one.actor, one.uuid, { action: 'cancel' });
    expect(kicks.count).toBe(1);
  });

  test.each(['submitted', 'not submitted'])(
    'a patient adds a new danger to what a physician has asked, %s',
    async (how) => {
      const one = await draft();
      await submit(one);
      await heldByPhysician(one);
      const { context, kicks } = counting(one);
      const { version } = await read(one);
      const changed = { uuid: one.uuid, anamnesis: emergencyAnamnesis, submit: how === 'submitted' };
      await updateCase(context, one.actor, changed, version);
      expect(await read(one)).toMatchObject({ status: 'queued', urgency: 'emergency' });
      expect(kicks.count).toBe(1);
    },
  );

  test('by status a patient replies to a physician', async () => {
    const one = await draft();
    await submit(one);
    await heldByPhysician(one);
    const { context, kicks } = counting(one);
    await changeCaseStatus(context, one.actor, one.uuid, { action: 'submit' });
    expect(await read(one)).toMatchObject({ status: 'queued' });
    expect(kicks.count).toBe(1);
  });

  test.each(['create', 'update', 'status'])(
    'by %s a patient submits an emergency while the AI service hangs',
    async (route) => {
      const one = await draft({ anamnesis: emergencyAnamnesis });
      const { context, kicks } = counting(one);
      const seen: number[] = [];
      service.on('red_flags', (call, response) => {
        seen.push(kicks.count);
        return hang(call, response);
      });
      stage.impatient();
      const consent = { version: '1', accepted: true } as const;
      if (route === 'create') {
        const creation = { anamnesis: emergencyAnamnesis, consent, submit: true };
        await createCase(context, one.actor, creation);
      } else if (route === 'update') {
        await updateCase(context, one.actor, { uuid: one.uuid, consent, submit: true }, 1);
      } else {
        await changeCaseStatus(context, one.actor, one.uuid, { action: 'submit', consent });
      }
      expect(seen).toEqual([1]);
    },
  );
});
