// Cases whose answer the patient can read, as what comes before a request.
import type { Ask } from './scenario.ts';
import { demoPhysician, emptyHanded, queuedCase } from './staff-cases.ts';

const signed = (status: 'answered' | 'closed', published: 'now()' | 'NULL') => [
  ...emptyHanded,
  `INSERT INTO dermatologist_annotations
     (uuid, tenant_id, case_uuid, physician_id, status, language, diagnoses, primary_code, recommended_action,
      rendered_text, signed_at, published_at)
   SELECT gen_random_uuid(), tenant_id, uuid, ${demoPhysician}, 'final', 'en',
     '[{"disease_id": null, "code": "L20.9", "code_system": "icd10", "text": "Eczema", "certainty": "probable", "is_primary": true}]',
     'L20.9', 'self_care_advice', 'Your doctor has answered.', now(), ${published}
   FROM request_records WHERE uuid = '{{case.response.body.uuid}}'`,
  `UPDATE request_records r SET status = '${status}', assigned_physician_id = a.physician_id, answered_at = now(),
     publish_at = now() + interval '5 minutes', closed_at = ${published}, final_annotation_uuid = a.uuid, lane_pool = NULL,
     lane_language = NULL, lane_until = NULL
   FROM dermatologist_annotations a WHERE a.case_uuid = r.uuid AND r.uuid = '{{case.response.body.uuid}}'`,
];

/** Closed by the demo physician; `{{case.response.body.uuid}}`. */
export const closedCase = { ...queuedCase, state: signed('closed', 'now()') } satisfies Ask;

/** Signed by the demo physician, and still to be undone. */
export const answeredCase = { ...queuedCase, state: signed('answered', 'NULL') } satisfies Ask;

/** The account of the case wants no messages. */
export const muted = `UPDATE users SET notify_channels = '{}'
  WHERE id = (SELECT account_user_id FROM request_records WHERE uuid = '{{case.response.body.uuid}}')`;

/** The address of the case's account is verified. */
export const verified = `UPDATE users SET is_verified = true, email_verified_at = now()
  WHERE id = (SELECT account_user_id FROM request_records WHERE uuid = '{{case.response.body.uuid}}')`;

/** Staff have repeated the message about the case three times. */
export const repeatedThrice = `INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_kind, case_uuid)
  SELECT gen_random_uuid(), tenant_id, 'case', 'case_notified', 'success', 'system', uuid
  FROM request_records, generate_series(1, 3) WHERE uuid = '{{case.response.body.uuid}}'`;
