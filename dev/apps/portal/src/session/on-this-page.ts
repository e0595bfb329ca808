import { path } from './route.ts';

/** What follows from a call, unless the user has gone on to another page meanwhile. */
export function onThisPage(work: () => void): () => void {
  const begunOn = path.value;
  return () => void (path.value === begunOn && work());
}
