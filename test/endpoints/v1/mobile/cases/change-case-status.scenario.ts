import { v1MobileChangeCaseStatus } from '../../../../../src/functions/v1/mobile/cases/change-case-status.ts';
import { completeAnamnesis } from '../../../patients.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';

const after = { draft: 'v1MobileCreateCase' };
const params = { uuid: '{{draft.response.body.uuid}}' };
const unaudited = 'Its event has a name of its own.';

export const changeCaseStatusScenario = scenario({
  endpoint: v1MobileChangeCaseStatus,
  as: 'newcomer',
  good: {
    cancel: {
      title: 'Cancel a case',
      after,
      params,
      json: { action: 'cancel', reason: 'feeling better' },
      unaudited,
    },
    submit: {
      title: 'Submit a draft',
      after: {
        stored: 'storeImages',
        draft: {
          operation: 'v1MobileCreateCase',
          json: {
            anamnesis: completeAnamnesis,
            images: [{ name: '{{stored.response.body.images[0].uuid}}' }],
          },
        },
      },
      headers: { 'idempotency-key': 'submit-{{$timestamp}}' },
      params,
      json: { action: 'submit', version: 1, consent: { version: '1', accepted: true } },
      unaudited,
    },
  },
  mistakes: {
    action: {
      title: 'An action that there is not',
      code: 'validation_error',
      pointers: ['/action'],
      after,
      params,
      json: { action: 'delete' },
    },
    words: {
      title: 'A message with an action that takes it to no physician',
      code: 'validation_error',
      pointers: ['/message'],
      after,
      params,
      json: { action: 'cancel', message: 'I feel worse.' },
    },
    incomplete: {
      title: 'Submitted without a photo',
      code: 'case_incomplete',
      pointers: ['/images'],
      after,
      params,
      json: { action: 'submit', consent: { version: '1', accepted: true } },
    },
  },
  refusals: {
    age: {
      title: 'Submitted after the birth date of the profile was corrected',
      code: 'age_mismatch',
      after: {
        me: 'getMe',
        draft: { operation: 'v1MobileCreateCase', json: { anamnesis: completeAnamnesis } },
      },
      params,
      state: [
        `UPDATE patients SET birth_date = '2020-01-31' WHERE account_user_id =
           (SELECT id FROM users WHERE uuid = '{{me.response.body.user.uuid}}')`,
      ],
      json: { action: 'submit', consent: { version: '1', accepted: true } },
    },
    unknown: {
      title: 'A case that does not exist',
      code: 'case_not_found',
      params: { uuid: unknownId },
      json: { action: 'cancel' },
    },
    stale: {
      title: 'A version that is not the newest',
      code: 'version_conflict',
      after,
      params,
      json: { action: 'cancel', version: 9 },
    },
    conflict: {
      title: 'Acknowledge an answer before there is one',
      code: 'case_state_conflict',
      after,
      params,
      json: { action: 'acknowledge' },
    },
    key: {
      title: 'Another action with the same Idempotency-Key',
      code: 'idempotency_key_reused',
      after: {
        ...after,
        first: {
          operation: 'v1MobileChangeCaseStatus',
          headers: { 'idempotency-key': 'one-key-for-two' },
          params,
          json: { action: 'cancel' },
        },
      },
      headers: { 'idempotency-key': 'one-key-for-two' },
      params,
      json: { action: 'acknowledge' },
    },
    question: {
      title: 'Reply to an answer without a message',
      code: 'message_required',
      after,
      params,
      state: [
        `UPDATE request_records SET status = 'closed', closed_at = now() WHERE uuid = '{{draft.response.body.uuid}}'`,
      ],
      json: { action: 'reply' },
    },
    consent: {
      title: 'Submit without consent',
      code: 'consent_outdated',
      after,
      params,
      json: { action: 'submit' },
    },
  },
});
