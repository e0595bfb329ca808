import type { Answer, NextQuestion } from '../../dev/packages/client/src/index.ts';

/** What says "nothing" or "do not know", the most harmless first. */
const harmless = ['none', 'normal', 'not_applicable', 'not_sure', 'unknown', 'not_tested'];

/**
 * A patient who gives `answers` (by question id, for every item of a loop alike), skips what is optional, and gives the
 * most harmless answer to what else must be answered: tests name what they are about, and nothing else.
 */
export function patientWith(answers: Readonly<Record<string, Answer>>): (question: NextQuestion) => Answer {
  return (question) => {
    const { questionId, skippable = false } = question;
    const answer = answers[questionId] ?? answers[questionId.replace(/\[\d+\]$/, '')];
    return answer ?? (skippable ? undefined : harmlessAnswer(question));
  };
}

function harmlessAnswer({ questionType, optionValues = [], min = 0 }: NextQuestion): Answer {
  const value = harmless.find((each) => optionValues.includes(each)) ?? optionValues.at(-1);
  switch (questionType) {
    case 'bool':
      return false;
    case 'number':
      return min;
    case 'text':
      return 'Nothing else';
    case 'checkbox':
      return [String(value)];
    default:
      return value;
  }
}
