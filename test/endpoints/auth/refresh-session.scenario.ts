import { refreshSession } from '../../../src/functions/auth/refresh-session.ts';
import { unknownToken } from '../people.ts';
import { scenario } from '../scenario.ts';

const json = { refresh_token: '{{newcomer.response.body.refresh_token}}' };

export const refreshSessionScenario = scenario({
  endpoint: refreshSession,
  as: 'newcomer',
  good: { next_pair: { title: 'The next pair', json } },
  mistakes: {
    misspelt: {
      title: 'A misspelt member',
      code: 'validation_error',
      pointers: ['/refreshToken', '/refresh_token'],
      json: { refreshToken: 'dgr_' },
    },
  },
  refusals: {
    unknown: {
      title: 'A token that was never issued',
      code: 'refresh_token_invalid',
      json: { refresh_token: unknownToken('dgr') },
    },
    used: {
      title: 'It works once: a second use ends the whole session, for there is a copy of it',
      code: 'refresh_token_invalid',
      after: { exchange: { operation: 'refreshSession', json } },
      json,
    },
  },
  counted: { json: { refresh_token: unknownToken('dgr') } },
  atScale: {
    // Beyond the skew that counts as a race of two tabs.
    reused: {
      after: { exchange: { operation: 'refreshSession', json } },
      pauseMs: 400,
      json,
      code: 'refresh_token_invalid',
    },
  },
});
