import { v1MobileUpdateCase } from '../../../../../src/functions/v1/mobile/cases/update-case.ts';
import { completeAnamnesis, minimalAnamnesis } from '../../../patients.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';

const after = { draft: 'v1MobileCreateCase' };
const uuid = '{{draft.response.body.uuid}}';
const headers = { 'if-match': '{{draft.response.headers.etag}}' };

export const updateCaseScenario = scenario({
  endpoint: v1MobileUpdateCase,
  as: 'newcomer',
  good: {
    answers: {
      title: 'The answers as a whole',
      after,
      headers,
      json: { uuid, anamnesis: completeAnamnesis },
    },
  },
  mistakes: {
    field: {
      title: 'A misspelt answer',
      code: 'anamnesis_invalid',
      pointers: ['/anamnesis/complain'],
      after,
      headers,
      json: { uuid, anamnesis: { complain: {} } },
    },
    incomplete: {
      title: 'Submitted without a photo',
      code: 'case_incomplete',
      pointers: ['/images'],
      after,
      headers,
      json: { uuid, submit: true, consent: { version: '1', accepted: true } },
    },
    age: {
      title: 'An age that is not the patient’s',
      code: 'age_mismatch',
      pointers: ['/anamnesis/patient'],
      after: { me: 'getMe', ...after },
      state: [
        `UPDATE patients SET birth_date = '2020-01-31' WHERE account_user_id =
           (SELECT id FROM users WHERE uuid = '{{me.response.body.user.uuid}}')`,
      ],
      headers,
      json: { uuid, anamnesis: minimalAnamnesis },
    },
  },
  refusals: {
    stale: {
      title: 'A version that is not the newest',
      code: 'version_conflict',
      after: {
        ...after,
        other: { operation: 'v1MobileUpdateCase', headers, json: { uuid, images: [] } },
      },
      headers,
      json: { uuid, images: [] },
    },
    unknown: {
      title: 'A case that does not exist',
      code: 'case_not_found',
      json: { uuid: unknownId, version: 1 },
    },
    cancelled: {
      title: 'A case that was cancelled',
      code: 'case_state_conflict',
      after: {
        ...after,
        cancelled: { operation: 'v1MobileChangeCaseStatus', params: { uuid }, json: { action: 'cancel' } },
      },
      headers,
      json: { uuid, images: [] },
    },
    patient: {
      title: 'For a profile that is not one’s own',
      code: 'patient_not_found',
      after,
      headers,
      json: { uuid, patient_uuid: unknownId },
    },
    image: {
      title: 'With a photo that is not one’s own',
      code: 'image_not_found',
      after,
      headers,
      json: { uuid, images: [{ name: unknownId }] },
    },
    question: {
      title: 'A reply to a question of a physician that adds nothing',
      code: 'message_required',
      after,
      state: [
        `INSERT INTO case_messages (uuid, tenant_id, case_uuid, direction, text, language)
           VALUES (gen_random_uuid(), (SELECT tenant_id FROM request_records WHERE uuid = '${uuid}'), '${uuid}',
             'to_patient', 'Since when?', 'en')`,
        `UPDATE request_records SET status = 'on_hold', pending_status = 'awaiting_patient', analysis_state = 'done',
           eligibility_outcome = 'eligible', submitted_at = now(), queued_at = now() WHERE uuid = '${uuid}'`,
      ],
      headers,
      json: { uuid, submit: true },
    },
    consent: {
      title: 'With the consent to another version',
      code: 'consent_outdated',
      after,
      headers,
      json: { uuid, consent: { version: '0', accepted: true } },
    },
  },
});
