import { Problem } from '../../contract/problem.ts';

/**
 * The part of a representation that `Range` requests (RFC 9110 §14.2).
 * @param size of the whole representation, in bytes.
 * @returns undefined for the whole: without a range, or with several ranges, another unit or an invalid form.
 * @throws {Problem} `range_not_satisfiable` when the range lies outside.
 */
export function requestedRange(
  header: string | undefined,
  size: number,
): { offset: number; count: number } | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (match === null || (first === '' && last === '')) return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const offset = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (offset > end) {
    throw new Problem('range_not_satisfiable', { headers: { 'content-range': `bytes */${size}` } });
  }
  return { offset, count: end - offset + 1 };
}

/** Whether `If-None-Match` names this strong entity tag, by the weak comparison of RFC 9110 §13.1.2. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
