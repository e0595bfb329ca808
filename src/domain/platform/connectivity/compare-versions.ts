/** Compares versions such as `2.14` part by part as numbers; missing parts count as 0. @returns below 0 where `a` is older. */
export function compareVersions(a: string, b: string): number {
  const [ours, theirs] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) {
    const difference = (ours[at] ?? 0) - (theirs[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
