/** `none` excludes every other value (`optionValues` of the contract), so ticking one clears the other. */
export function toggleChoice(chosen: readonly string[], value: string): readonly string[] {
  if (chosen.includes(value)) return chosen.filter((other) => other !== value);
  return value === 'none' ? ['none'] : [...chosen.filter((other) => other !== 'none'), value];
}
