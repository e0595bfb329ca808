import { batch, computed, signal } from '@preact/signals';
import { parse } from 'regexparam';

/** The path in the address bar; components that read it re-render on a change. */
export const path = signal(location.pathname);

const search = signal(location.search);

/** The query of the address bar, such as the filters of a list. */
export const query = computed<Readonly<URLSearchParams>>(() => new URLSearchParams(search.value));

const cursorOf = (state: unknown): string | undefined => (state as { cursor?: string } | null)?.cursor;

/**
 * Where the page of a list begins; undefined for the first one. A cursor contains the name or the address of a person, so it
 * stands in the history entry and not in the address: a reload stays at the page, a copied link leads to the first one.
 */
export const listCursor = signal(cursorOf(history.state));

function readAddress(): void {
  batch(() => {
    path.value = location.pathname;
    search.value = location.search;
    listCursor.value = cursorOf(history.state);
  });
}

/**
 * The parameters of the current path where it has this form, such as `/cases/:uuid`, decoded.
 * @returns undefined where it has another form.
 */
export function matchPath<Name extends string = never>(form: string): Record<Name, string> | undefined {
  const { keys, pattern } = parse(form);
  const found = pattern.exec(path.value);
  if (found === null) return undefined;
  const values = keys.map((key, index): [string, string] => [key, decode(found[index + 1] ?? '')]);
  return Object.fromEntries(values) as Record<Name, string>;
}

/** A person can type any address: what is no valid encoding stays as it is, and is not found. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Writes the query without a history entry, so that the browser's Back leaves the list; a reload and a copied link keep it.
 * A list begins at its first page again.
 * @param values those that are undefined or empty are left out.
 */
export function replaceQuery(values: Readonly<Record<string, string | undefined>>): void {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(given).toString();
  history.replaceState({ at }, '', location.pathname + (text && `?${text}`));
  readAddress();
}

const QUESTIONS = '/intake';

/** Index of this history entry within one run of questions, from 0. */
const positionOf = (state: unknown): number | undefined => (state as { at?: number } | null)?.at;
let at = positionOf(history.state) ?? 0;

export function go(to: string): void {
  if (to === path.value + search.value && listCursor.value === undefined) return;
  enter(to, 0);
}

/** Another page of the list that the address names, as an entry of the history: the browser's Back leads to the page before. */
export function goToListPage(cursor: string | undefined): void {
  history.pushState({ at, cursor }, '', location.pathname + location.search);
  readAddress();
  scrollTo(0, 0);
}

/** Gives the next question its own history entry, so that the browser's Back leads to the previous question. */
export function goToNextQuestion(): void {
  enter(QUESTIONS, path.value === QUESTIONS ? at + 1 : 0);
}

function enter(to: string, position: number): void {
  at = position;
  history.pushState({ at }, '', to);
  readAddress();
  scrollTo(0, 0);
}

const listeners = new Set<(questions: number) => void>();

/**
 * Calls `listener` with the number of questions by which the browser goes back.
 * @returns a function that removes the listener.
 */
export function onQuestionsBack(listener: (questions: number) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const goBackBy = (questions: number) => listeners.forEach((listener) => listener(questions));

/** Equals the browser's Back where the previous history entry is a question too. */
export function goToQuestionBefore(): void {
  if (path.value === QUESTIONS && at > 0) history.back();
  else goBackBy(1);
}

/** Leaves the questions from the first one. */
export function leaveQuestions(): void {
  history.go(-(at + 1));
}

export function watchRoute(): void {
  history.scrollRestoration = 'manual';
  history.replaceState({ ...(history.state as object | null), at }, '');
  let isReturning = false;
  addEventListener('popstate', ({ state }) => {
    const from = { path: path.value, at };
    // A link within the page, such as "skip to content", adds an entry without a position.
    if (positionOf(state) === undefined) history.replaceState({ at, cursor: listCursor.peek() }, '');
    else at = positionOf(state) ?? 0;
    readAddress();
    const moved = from.path === QUESTIONS && path.value === QUESTIONS ? at - from.at : 0;
    if (isReturning || moved === 0) {
      isReturning = false;
    } else if (moved < 0) {
      goBackBy(-moved);
    } else {
      // Forward must not send an answer; only its own button does.
      isReturning = true;
      history.go(-moved);
    }
  });
}

/**
 * The token in the link of a mail, `#token=…`. It is removed from the address bar, and so from the history and from
 * screenshots.
 */
export function takeLinkToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) history.replaceState(history.state, '', location.pathname);
  return token;
}
