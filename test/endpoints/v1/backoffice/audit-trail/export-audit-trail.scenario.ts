import { v1BackofficeExportAuditTrail } from '../../../../../src/functions/v1/backoffice/audit-trail/export-audit-trail.ts';
import { scenario } from '../../../scenario.ts';
import { newEvent } from '../../../access/office-rows.ts';
import { about, get, itself } from '../../../access/rows.ts';

const user_uuid = '{{person.response.body.user.uuid}}';
const after = { person: { operation: 'getMe', as: 'newcomer' as const } };

export const exportAuditTrailScenario = scenario({
  endpoint: v1BackofficeExportAuditTrail,
  as: 'admin',
  good: { account: { title: 'What was done to an account', after, query: { user_uuid } } },
  mistakes: {
    nothing: {
      title: 'Neither a case nor a person',
      code: 'validation_error',
      pointers: ['/case_uuid'],
      query: { outcome: 'denied' },
    },
  },
  refusals: {
    broad: {
      title: 'More events than one file holds',
      code: 'search_too_broad',
      after,
      state: [
        `INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_kind, subject_kind, subject_uuid)
         SELECT gen_random_uuid(), 1, 'admin', 'user_read', 'success', 'system', 'user', '${user_uuid}'
         FROM generate_series(1, 10001)`,
      ],
      query: { user_uuid },
    },
  },
  access: {
    'an event': {
      ...about(newEvent, ({ name }) => get(`audit-trail/csv?case_uuid=${name}`), itself),
      cells: '401 403 403 unseen 403 403 403 403 403 seen',
    },
  },
});
