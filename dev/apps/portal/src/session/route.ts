import { signal } from '@preact/signals';

/** The path of the address bar; components that read it follow it. */
export const path = signal(location.pathname);

const QUESTIONS = '/intake';

/** Where this entry stands among the entries of one run of questions, from 0. */
const positionOf = (state: unknown): number | undefined => (state as { at?: number } | null)?.at;
let at = positionOf(history.state) ?? 0;

export function go(to: string): void {
  if (to === path.value) return;
  enter(to, 0);
}

/** Gives the next question an entry of its own, so that the browser's Back leads to the one before it. */
export function goToNextQuestion(): void {
  enter(QUESTIONS, path.value === QUESTIONS ? at + 1 : 0);
}

function enter(to: string, position: number): void {
  at = position;
  history.pushState({ at }, '', to);
  path.value = location.pathname;
  scrollTo(0, 0);
}

const listeners = new Set<(questions: number) => void>();

/**
 * Calls `listener` when the browser goes back from one question to another, with how many.
 * @returns what ends that.
 */
export function onQuestionsBack(listener: (questions: number) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const goBackBy = (questions: number) => listeners.forEach((listener) => listener(questions));

/** As the browser's Back does where the entry before this one is a question, too. */
export function goToQuestionBefore(): void {
  if (path.value === QUESTIONS && at > 0) history.back();
  else goBackBy(1);
}

/** Leaves the questions; nothing is before the first one. */
export function leaveQuestions(): void {
  history.go(-(at + 1));
}

export function watchRoute(): void {
  history.scrollRestoration = 'manual';
  history.replaceState({ ...(history.state as object | null), at }, '');
  let isReturning = false;
  addEventListener('popstate', ({ state }) => {
    const from = { path: path.value, at };
    path.value = location.pathname;
    // A link within the page, such as "skip to the content", makes an entry without a position.
    if (positionOf(state) === undefined) history.replaceState({ at }, '');
    else at = positionOf(state) ?? 0;
    const moved = from.path === QUESTIONS && path.value === QUESTIONS ? at - from.at : 0;
    if (isReturning || moved === 0) {
      isReturning = false;
    } else if (moved < 0) {
      goBackBy(-moved);
    } else {
      // Forward sends nothing: an answer is given by its own button.
      isReturning = true;
      history.go(-moved);
    }
  });
}

/**
 * The token in the link of a mail, `#token=…`. It is taken out of the address bar, so that it stays neither in the
 * history nor on a screenshot.
 */
export function takeLinkToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) history.replaceState(history.state, '', location.pathname);
  return token;
}
