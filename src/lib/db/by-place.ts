/**
 * Rows of a database function that is asked several questions and may have none for some of them.
 * @param rows in any order; `place` is the question's, from 1
 * @returns one for each question, in their order; undefined where there is none
 */
export function byPlace<Row extends { place: number }>(
  rows: readonly Row[],
  questions: number,
): (Row | undefined)[] {
  const found = new Map(rows.map((row) => [row.place, row]));
  return Array.from({ length: questions }, (_, index) => found.get(index + 1));
}
