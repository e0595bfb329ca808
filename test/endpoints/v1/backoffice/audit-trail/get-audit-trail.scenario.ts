import { v1BackofficeGetAuditTrail } from '../../../../../src/functions/v1/backoffice/audit-trail/get-audit-trail.ts';
import { scenario } from '../../../scenario.ts';
import { newEvent } from '../../../access/office-rows.ts';
import { about, get, itself } from '../../../access/rows.ts';

const user_uuid = '{{person.response.body.user.uuid}}';
const person = { operation: 'getMe', as: 'newcomer' as const };

export const getAuditTrailScenario = scenario({
  endpoint: v1BackofficeGetAuditTrail,
  as: 'admin',
  good: {
    account: {
      title: 'What was done to an account',
      after: {
        person,
        deactivated: {
          operation: 'v1BackofficeChangeUser',
          params: { uuid: user_uuid },
          json: { is_active: false, version: 1 },
        },
      },
      query: { user_uuid, category: 'admin,auth' },
    },
  },
  mistakes: {
    nothing: {
      title: 'Neither a case nor a person',
      code: 'validation_error',
      pointers: ['/case_uuid'],
      query: { category: 'auth' },
    },
    category: {
      title: 'A category that does not exist',
      code: 'validation_error',
      pointers: ['/category/1'],
      after: { person },
      query: { user_uuid, category: 'auth,patients' },
    },
  },
  refusals: {
    cursor: {
      title: 'A cursor of another list',
      code: 'cursor_invalid',
      after: { person },
      query: { user_uuid, cursor: 'abc' },
    },
  },
  never: { search_too_broad: 'The statement would have to take more than two seconds.' },
  atScale: {
    case: { query: { case_uuid: '01900000-0007-7000-8000-000000000064' } },
    patient: {
      after: { mine: { operation: 'v1MobileListProfiles', as: 'newcomer' } },
      query: { patient_uuid: '{{mine.response.body.profiles[0].uuid}}' },
    },
    actor: { query: { actor_uuid: '01900000-000a-7000-8000-000000000014', limit: '100' } },
    actorOfOneKind: {
      query: { actor_uuid: '01900000-000a-7000-8000-000000000014', category: 'access', outcome: 'success' },
    },
    rare: { query: { actor_uuid: '01900000-000a-7000-8000-000000000014', action: 'user_erased' } },
  },
  access: {
    'an event': {
      ...about(newEvent, ({ name }) => get(`audit-trail?case_uuid=${name}`), itself),
      cells: '401 403 403 unseen 403 403 403 403 403 seen',
    },
  },
});
