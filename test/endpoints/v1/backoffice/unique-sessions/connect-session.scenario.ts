import { v1BackofficeConnectSession } from '../../../../../src/functions/v1/backoffice/unique-sessions/connect-session.ts';
import { demo } from '../../../people.ts';
import { type Earlier, scenario } from '../../../scenario.ts';
import { get, plain } from '../../../access/rows.ts';

/** After all that has happened, so that it waits. */
const headers = { 'last-event-id': '999999999999999' };
const held: Earlier = { operation: 'v1BackofficeConnectSession', headers, isHeld: true };

export const connectSessionScenario = scenario({
  endpoint: v1BackofficeConnectSession,
  as: 'physician',
  good: {
    hello: { title: 'Begins' },
    resumed: {
      title: 'Goes on after the last event',
      state: [
        `INSERT INTO user_notices (tenant_id, user_id, kind, payload, expires_at)
         SELECT tenant_id, id, 'case.assigned', jsonb_build_object('case_uuid', '0193a8f0-0000-7000-8000-000000000002'),
           now() + interval '1 day' FROM users WHERE email = '${demo.physician.email}'`,
      ],
      headers: { 'last-event-id': '0' },
    },
  },
  refusals: {
    fourth: {
      title: 'While three others of the session are held',
      code: 'stream_limit',
      as: 'admin',
      after: { first: held, second: held, third: held },
      headers,
    },
  },
  access: {
    own: { ...plain(() => get('unique-sessions/connect')), cells: '401 403 200 200 200 200 200 200 200 200' },
  },
});
