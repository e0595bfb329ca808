import { predictDiagnosis } from '../../../src/functions/ai/predict-diagnosis.ts';
import { scenario } from '../scenario.ts';
import { noObject, questionnaires, wrongAnswers } from './questionnaires.ts';

export const predictDiagnosisScenario = scenario({
  endpoint: predictDiagnosis,
  as: 'patient',
  good: questionnaires,
  mistakes: noObject,
  refusals: wrongAnswers,
});
