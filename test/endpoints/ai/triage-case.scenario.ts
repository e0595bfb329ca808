import { triageCase } from '../../../src/functions/ai/triage-case.ts';
import { scenario } from '../scenario.ts';
import { noObject, questionnaires, wrongAnswers } from './questionnaires.ts';

export const triageCaseScenario = scenario({
  endpoint: triageCase,
  as: 'patient',
  good: questionnaires,
  mistakes: noObject,
  refusals: wrongAnswers,
});
