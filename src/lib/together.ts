import DataLoader from 'dataloader';

/**
 * Answers the calls that come in the same turn of the event loop with one call of `answer`: the busier the process, the
 * fewer round trips. Nothing is remembered: what is asked twice is answered twice.
 * @param answer to several questions at once, in their order
 * @param atMost questions in one call of `answer`
 */
export function together<Question, Answer>(
  answer: (questions: readonly Question[]) => Promise<Answer[]>,
  atMost: number,
): (question: Question) => Promise<Answer> {
  const loader = new DataLoader<Question, Answer>(answer, {
    cache: false,
    maxBatchSize: atMost,
    batchScheduleFn: (ask) => void setImmediate(ask),
  });
  return (question) => loader.load(question);
}
