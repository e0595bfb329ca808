import { checkRedFlags } from '../../../src/functions/ai/check-red-flags.ts';
import { scenario } from '../scenario.ts';
import { noObject, questionnaires, wrongAnswers } from './questionnaires.ts';

export const checkRedFlagsScenario = scenario({
  endpoint: checkRedFlags,
  as: 'patient',
  good: questionnaires,
  mistakes: noObject,
  refusals: wrongAnswers,
});
