import DataLoader from 'dataloader';

export interface TogetherOptions {
  /** Questions in one call of `answer`. */
  atMost: number;
  /**
   * How long, in milliseconds, questions wait for the answer to those before them, to be asked together then: the busier,
   * the more at once. A call that hangs holds up the next ones no longer than that. 0 by default.
   */
  patienceMs?: number;
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
  { atMost, patienceMs = 0, isOfOne = () => false }: TogetherOptions,
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
  function createLoader(of: Of): DataLoader<Question, Answer> {
    const turns = createTurns(patienceMs);
    return new DataLoader<Question, Answer>(
      (questions) => turns.during(async () => await answerAll(of, questions)),
      { cache: false, maxBatchSize: atMost, batchScheduleFn: turns.next },
    );
  }
  return (of, question) => {
    const loader = loaders.get(of) ?? createLoader(of);
    loaders.set(of, loader);
    return loader.load(question);
  };
}

/** Says when the next call begins: at once where none is under way, else after one, or when patience ends. */
function createTurns(patienceMs: number) {
  let underWay = 0;
  let waiting: { begin: () => void; timer: NodeJS.Timeout } | undefined;

  function release(): void {
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    setImmediate(waiting.begin);
    waiting = undefined;
  }
  return {
    next(begin: () => void): void {
      if (underWay === 0 || patienceMs === 0) setImmediate(begin);
      else {
        // A full one waits no longer.
        release();
        waiting = { begin, timer: setTimeout(release, patienceMs) };
      }
    },
    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
        release();
      }
    },
  };
}
