/** Whether two entries of a form are the same; they are what JSON can hold. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The entries of `now` that differ from those of `before`. */
export function changedEntries<Draft extends object>(now: Draft, before: Draft): Partial<Draft> {
  const isChanged = ([name, entry]: [string, unknown]) => !isSame(entry, before[name as keyof Draft]);
  return Object.fromEntries(Object.entries(now).filter(isChanged)) as Partial<Draft>;
}

/**
 * A list as another has saved it, with what was added to it and removed from it here.
 * @param before as it was when the change began.
 */
export function mergedList<Item>(
  now: readonly Item[],
  before: readonly Item[],
  theirs: readonly Item[],
): Item[] {
  const staying = theirs.filter((each) => now.includes(each) || !before.includes(each));
  const added = now.filter((each) => !before.includes(each) && !theirs.includes(each));
  return [...staying, ...added];
}
