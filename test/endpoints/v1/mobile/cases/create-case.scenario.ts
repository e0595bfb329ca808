import { v1MobileCreateCase } from '../../../../../src/functions/v1/mobile/cases/create-case.ts';
import { completeAnamnesis, minimalAnamnesis } from '../../../patients.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';

const images = [{ name: '{{stored.response.body.images[0].uuid}}', kind: 'close_up', location_index: 0 }];
const consent = { version: '1', accepted: true };
const draft = { anamnesis: minimalAnamnesis };
const me = `(SELECT id FROM users WHERE uuid = '{{me.response.body.user.uuid}}')`;

export const createCaseScenario = scenario({
  endpoint: v1MobileCreateCase,
  as: 'newcomer',
  good: {
    draft: { title: 'A draft', json: draft },
    submitted: {
      title: 'A case that is submitted at once',
      headers: { 'idempotency-key': 'case-{{$timestamp}}' },
      after: { stored: 'storeImages' },
      json: { client_case_id: 'ios-7731', anamnesis: completeAnamnesis, images, consent, submit: true },
    },
    same: {
      title: 'The same case again, by its client_case_id',
      status: 200,
      after: { first: { operation: 'v1MobileCreateCase', json: { client_case_id: 'ios-7732', ...draft } } },
      json: { client_case_id: 'ios-7732', ...draft },
      unaudited: 'The first request has made the case.',
    },
  },
  mistakes: {
    field: {
      title: 'A misspelt answer',
      code: 'anamnesis_invalid',
      pointers: ['/anamnesis/complain'],
      json: { anamnesis: { complain: {} } },
    },
    language: {
      title: 'A language that there is not',
      code: 'validation_error',
      pointers: ['/language'],
      json: { ...draft, language: 'fr' },
    },
    incomplete: {
      title: 'Submitted without a photo',
      code: 'case_incomplete',
      pointers: ['/images'],
      json: { anamnesis: completeAnamnesis, consent, submit: true },
    },
    age: {
      title: 'An age that is not the patient’s',
      code: 'age_mismatch',
      pointers: ['/anamnesis/patient'],
      after: { me: 'getMe' },
      state: [`UPDATE patients SET birth_date = '2020-01-31' WHERE account_user_id = ${me}`],
      json: draft,
    },
  },
  refusals: {
    patient: {
      title: 'For a profile that is not one’s own',
      code: 'patient_not_found',
      json: { ...draft, patient_uuid: unknownId },
    },
    image: {
      title: 'With a photo that is not one’s own',
      code: 'image_not_found',
      json: { ...draft, images: [{ name: unknownId }] },
    },
    consent: {
      title: 'With the consent to another version',
      code: 'consent_outdated',
      json: { ...draft, consent: { version: '0', accepted: true } },
    },
    reused: {
      title: 'Another case with the same client_case_id',
      code: 'client_case_id_reused',
      after: { first: { operation: 'v1MobileCreateCase', json: { client_case_id: 'ios-7733', ...draft } } },
      json: { client_case_id: 'ios-7733', ...draft, language: 'es' },
    },
    key: {
      title: 'Another case with the same Idempotency-Key',
      code: 'idempotency_key_reused',
      after: {
        first: {
          operation: 'v1MobileCreateCase',
          headers: { 'idempotency-key': 'one-key-for-two' },
          json: draft,
        },
      },
      headers: { 'idempotency-key': 'one-key-for-two' },
      json: { ...draft, language: 'es' },
    },
    drafts: {
      title: 'The twenty-first draft',
      code: 'draft_limit',
      after: { me: 'getMe' },
      state: [
        `INSERT INTO request_records (uuid, tenant_id, patient_id, account_user_id, source, status, status_changed_at, language)
         SELECT gen_random_uuid(), tenant_id, id, account_user_id, 'mobile', 'draft', now(), 'en'
         FROM patients, generate_series(1, 20) WHERE account_user_id = ${me}`,
      ],
      json: draft,
    },
  },
});
