import { path } from './route.ts';

/** What follows from a call, unless the user has gone on to another page meanwhile. */
export function onThisPage<Given extends unknown[]>(
  work: (...given: Given) => void,
): (...given: Given) => void {
  const begunOn = path.value;
  return (...given) => void (path.value === begunOn && work(...given));
}
