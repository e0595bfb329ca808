import { endSession } from '../../../src/functions/auth/end-session.ts';
import { unknownId } from '../people.ts';
import { scenario } from '../scenario.ts';

export const endSessionScenario = scenario({
  endpoint: endSession,
  as: 'newcomer',
  good: {
    other: {
      title: 'Ends the session on another device',
      after: { sessions: 'listSessions' },
      params: { id: '{{sessions.response.body.sessions[0].id}}' },
    },
  },
  refusals: {
    unknown: { title: 'A session that is not mine', code: 'not_found', params: { id: unknownId } },
  },
});
