import { getMe } from '../../../src/functions/auth/get-me.ts';
import { scenario } from '../scenario.ts';

export const getMeScenario = scenario({
  endpoint: getMe,
  as: 'patient',
  good: {
    patient: { title: 'A patient' },
    physician: { title: 'A physician, with a profile', as: 'physician' },
  },
});
