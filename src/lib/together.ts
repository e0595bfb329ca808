import DataLoader from 'dataloader';

export interface TogetherOptions {
  /** Questions in one call of `answer`. */
  atMost: number;
  /** Whether an error may be that of one question among several: then each is asked by itself. Never by default. */
  isOfOne?: (error: unknown) => boolean;
}

/**
 * Answers the calls that come in the same turn of the event loop with one call of `answer`: the busier the process, the
 * fewer round trips. Nothing is remembered: what is asked twice is answered twice.
 * @param answer to several questions at once, in their order, by what they are asked of: a database, say
 */
export function together<Of extends object, Question, Answer>(
  answer: (of: Of, questions: readonly Question[]) => Promise<Answer[]>,
  { atMost, isOfOne = () => false }: TogetherOptions,
): (of: Of, question: Question) => Promise<Answer> {
  const loaders = new WeakMap<Of, DataLoader<Question, Answer>>();

  async function answerAll(of: Of, questions: readonly Question[]): Promise<(Answer | Error)[]> {
    try {
      return await answer(of, questions);
    } catch (error) {
      if (questions.length === 1 || !isOfOne(error)) throw error;
      return (await Promise.all(questions.map((question) => alone(of, question)))).flat();
    }
  }
  async function alone(of: Of, question: Question): Promise<(Answer | Error)[]> {
    return await answer(of, [question]).catch((error: unknown) => [
      error instanceof Error ? error : new Error('refused', { cause: error }),
    ]);
  }
  function loaderOf(of: Of): DataLoader<Question, Answer> {
    const known = loaders.get(of);
    if (known !== undefined) return known;
    const loader = new DataLoader<Question, Answer>((questions) => answerAll(of, questions), {
      cache: false,
      maxBatchSize: atMost,
      batchScheduleFn: (ask) => void setImmediate(ask),
    });
    loaders.set(of, loader);
    return loader;
  }
  return (of, question) => loaderOf(of).load(question);
}
