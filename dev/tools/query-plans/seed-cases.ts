// Cases as a clinic has them after two years: most closed, by few physicians, one of whom has done far more than the others.
import { type Filling, uuid } from './seed-values.ts';

/** The die of a row: the same number from 0 to below `sides` in each run, another one for each `throwing`. */
const die = (throwing: number, sides: number | string) =>
  `((hashint8(p.id * 31 + ${throwing}) & 2147483647) % ${sides})`;

const status = `CASE
  WHEN p.id % 1000 BETWEEN 70 AND 71 AND n.id IS NULL THEN 'queued' WHEN p.id % 1000 < 20 THEN 'draft' WHEN p.id % 1000 < 40 THEN 'on_hold' WHEN p.id % 1000 < 70 THEN 'queued'
  WHEN p.id % 1000 < 72 THEN 'in_review' WHEN p.id % 1000 < 73 THEN 'answered' WHEN p.id % 1000 < 74 THEN 'submitted'
  WHEN p.id % 1000 < 84 THEN 'cancelled' WHEN p.id % 1000 < 94 THEN 'expired' WHEN p.id % 1000 < 104 THEN 'ineligible'
  ELSE 'closed' END`;

/** Of its status, the time that a case has at most had. A few drafts and questions to patients have been forgotten for too long. */
const age = `CASE status WHEN 'draft' THEN interval '30.1 days' WHEN 'on_hold' THEN interval '14.1 days'
  WHEN 'queued' THEN interval '4 days' WHEN 'in_review' THEN interval '1 hour' WHEN 'answered' THEN interval '10 minutes'
  WHEN 'submitted' THEN interval '16 minutes' ELSE interval '700 days' END`;

const urgency = `CASE WHEN ${die(1, 100)} < 2 AND p.id % 1000 NOT BETWEEN 84 AND 103 THEN 'emergency'
  WHEN ${die(1, 100)} < 10 THEN 'high' WHEN ${die(1, 100)} < 30 THEN 'medium' ELSE 'low' END`;

const language = `CASE WHEN ${die(2, 100)} < 55 THEN 'en' WHEN ${die(2, 100)} < 80 THEN 'he' WHEN ${die(2, 100)} < 92 THEN 'ar' ELSE 'es' END`;

const pool = `CASE WHEN ${die(3, 100)} < 85 THEN 'general' ELSE 'clinic-' || ${die(4, 3)} END`;

/** Number of a physician within the tenant: one in twenty cases is the busiest one's, the others are those of two hundred. */
const physician = `CASE WHEN ${die(6, 20)} = 0 THEN 1 ELSE 1 + ${die(7, 'least(w.count, 200)')} END`;

/** Where patients have one case each. Cases are stored in the order in which they came, as in a clinic. */
export const caseFillings: readonly Filling[] = [
  [
    'disease_catalog',
    `INSERT INTO disease_catalog (id, slug, names, category, urgency)
     SELECT 1000000 + i, 'seed_' || i, '{}', 'other', 'routine' FROM generate_series(0, 199) i`,
  ],
  [
    'case_batches',
    `INSERT INTO case_batches (uuid, tenant_id, kind, account_user_id, expected_size)
     SELECT ${uuid('8', 'id')}, tenant_id, 'patient_session', account_user_id, 1 FROM patients WHERE id % 40 = 0`,
  ],
  [
    'request_records',
    `WITH numbered AS (
       SELECT id, tenant_id, row_number() OVER (PARTITION BY tenant_id ORDER BY id) AS number,
         count(*) OVER (PARTITION BY tenant_id) AS count FROM physicians),
     known AS (
       SELECT p.*, ${status} AS status, ${urgency} AS urgency, ${language} AS spoken, ${pool} AS home, n.id AS physician_id,
         ${die(8, 100)} AS chance, ${die(9, 72)} * interval '1 hour' AS later
       FROM patients p LEFT JOIN (SELECT DISTINCT tenant_id, count FROM numbered) w ON w.tenant_id = p.tenant_id
       LEFT JOIN numbered n ON n.tenant_id = p.tenant_id AND n.number = ${physician}),
     timed AS (SELECT *, now() - random() * ${age} AS t FROM known),
     judged AS (
       SELECT *, CASE urgency WHEN 'emergency' THEN 'emergency' WHEN 'high' THEN 'urgent_24h' WHEN 'medium' THEN
           'soon_2_weeks' ELSE 'routine' END AS level,
         t + CASE urgency WHEN 'emergency' THEN interval '1 hour' WHEN 'high' THEN interval '24 hours'
           WHEN 'medium' THEN interval '72 hours' ELSE interval '120 hours' END AS due,
         least(now(), t + later) AS changed FROM timed)
     INSERT INTO request_records (uuid, tenant_id, patient_id, account_user_id, source, batch_uuid, language, pool, status,
       pending_status, status_changed_at, anamnesis_revision, analysis_state, triage_level, triage_rank, urgency,
       has_red_flags, lane_pool, lane_language, eligibility_outcome, assigned_physician_id, lease_expires_at,
       submitted_at, queued_at, due_at, held_at, remind_at, answered_at, publish_at, closed_at, notified_at, final_annotation_uuid, disease_id,
       audit_state, is_test, created_at, updated_at)
     SELECT ${uuid('7', 'id')}, tenant_id, id, account_user_id, 'mobile', CASE WHEN id % 40 = 0 THEN ${uuid('8', 'id')} END,
       spoken, home, status, CASE status WHEN 'on_hold' THEN CASE WHEN chance < 80 THEN 'awaiting_patient' ELSE 'awaiting_result' END END,
       changed, 1, CASE status WHEN 'draft' THEN 'none' WHEN 'submitted' THEN 'pending' ELSE 'done' END,
       CASE WHEN status <> 'draft' THEN level END,
       CASE WHEN status <> 'draft' THEN CASE level WHEN 'emergency' THEN 0 WHEN 'urgent_24h' THEN 1 ELSE 2 END END,
       CASE WHEN status <> 'draft' THEN urgency END, status <> 'draft' AND urgency <> 'low',
       CASE WHEN status = 'queued' THEN CASE WHEN chance < 5 AND physician_id IS NOT NULL THEN 'physician:' || physician_id ELSE home END END,
       CASE WHEN status = 'queued' THEN CASE WHEN chance < 8 THEN 'any' ELSE spoken END END,
       CASE WHEN status = 'on_hold' THEN 'needs_patient' WHEN status = 'ineligible' THEN 'ineligible'
         WHEN status NOT IN ('draft', 'submitted') THEN 'eligible' END,
       CASE WHEN status IN ('in_review', 'answered', 'closed') OR status = 'on_hold' AND chance < 50
         OR status = 'queued' AND chance < 5 THEN physician_id END,
       CASE WHEN status = 'in_review' THEN CASE WHEN chance < 10 THEN now() ELSE now() + interval '1 day' END END,
       CASE WHEN status <> 'draft' AND (status NOT IN ('cancelled', 'expired') OR chance < 30) THEN t END,
       CASE WHEN status IN ('queued', 'in_review', 'answered', 'closed') THEN t END,
       CASE WHEN status NOT IN ('draft', 'submitted') AND (status NOT IN ('cancelled', 'expired') OR chance < 30) THEN due END,
       CASE status WHEN 'on_hold' THEN t END, CASE status WHEN 'on_hold' THEN t + interval '10 days' END,
       CASE WHEN status IN ('answered', 'closed') THEN changed END,
       CASE status WHEN 'answered' THEN now() + interval '1 day' END, CASE status WHEN 'closed' THEN changed END,
       CASE WHEN status = 'closed' AND chance < 95 THEN changed END,
       CASE WHEN status IN ('answered', 'closed') AND physician_id IS NOT NULL THEN ${uuid('9', 'id')} END,
       CASE status WHEN 'closed' THEN 1000000 + floor(200 * power(chance / 100.0, 3))::bigint END,
       CASE WHEN status = 'closed' AND chance = 0 THEN 'pending' WHEN status = 'closed' AND chance < 5 THEN 'done' ELSE 'none' END,
       id % 200 = 199, t, changed
     FROM judged ORDER BY t`,
  ],
  [
    'dermatologist_annotations',
    `INSERT INTO dermatologist_annotations (uuid, tenant_id, case_uuid, physician_id, status, language, diagnoses,
       primary_disease_id, recommended_action, rendered_text, signed_at, published_at)
     SELECT ${uuid('9', 'patient_id')}, tenant_id, uuid, assigned_physician_id, 'final', language,
       '[{"text":"Eczema","is_primary":true,"disease_id":null,"code":"L20.9","code_system":"icd10","certainty":"probable"}]',
       disease_id, 'self_care_advice', 'Use the cream twice a day.', answered_at, closed_at
     FROM request_records WHERE status IN ('answered', 'closed') AND assigned_physician_id IS NOT NULL`,
  ],
];
