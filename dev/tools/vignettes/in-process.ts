// Calls the gateway's domain directly, with the reference AI service behind it: for tuning rules, and for tests.
import { readPartialAnamnesis } from '../../../src/domain/intake/anamnesis/parse-anamnesis.ts';
import { guideIntake } from '../../../src/domain/intake/questions/guide-intake.ts';
import { readNextQuestionRequest } from '../../../src/domain/intake/questions/next-question-request.ts';
import { evaluateRedFlags } from '../../../src/domain/intake/red-flags/evaluate-red-flags.ts';
import { redFlagRules } from '../../../src/domain/intake/red-flags/rules/red-flag-rules.ts';
import { assessRedFlags } from '../../../src/domain/intake/red-flags/assess-red-flags.ts';
import { assessTriage } from '../../../src/domain/intake/triage/assess-triage.ts';
import { nextQuestion } from '../../apps/ai-service/questions/next-question.ts';
import { triage } from '../../apps/ai-service/triage/triage.ts';
import type { Language, PartialAnamnesis } from '../../packages/client/src/index.ts';
import type { TriedGateway } from './tried-gateway.ts';

/** Accepts, refuses and answers like the gateway, by the same checks. */
export function inProcessGateway(language: Language): TriedGateway {
  const options = { language, imageUrlHosts: [] };
  const ask = (body: PartialAnamnesis) => {
    const anamnesis = readPartialAnamnesis(body, options);
    const fromAi = {
      redFlags: evaluateRedFlags(anamnesis, redFlagRules, language),
      triage: triage(anamnesis, language),
    };
    return { anamnesis, fromAi };
  };
  return {
    async nextQuestion({ anamnesis, skippedQuestions }) {
      const body = { ...anamnesis, skippedQuestions: [...skippedQuestions] };
      const asked = readNextQuestionRequest(body, options);
      const { skippedQuestions: skipped, ...answers } = asked;
      return guideIntake(nextQuestion(answers, skipped, language), asked, language);
    },
    keepPhoto: async () => '/api/common/images/00000000-0000-7000-8000-000000000000',
    judgePhoto: async () => ({ isValid: true, score: 1, issues: [] }),
    async redFlags(body) {
      const { anamnesis, fromAi } = ask(body);
      return assessRedFlags(fromAi, anamnesis, language).redFlags;
    },
    async triage(body) {
      const { anamnesis, fromAi } = ask(body);
      return assessTriage(fromAi, anamnesis, language).triage;
    },
  };
}
