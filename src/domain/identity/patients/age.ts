interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * Completed years on the day of `at`, in UTC; 0 until the first birthday. A person born on 29 February becomes a year older
 * on 1 March in other years.
 *
 * @param birthDate `YYYY-MM-DD`; tomorrow counts as today, because the day begins earlier in the east.
 */
export function ageInYears(birthDate: string, at: Date): number {
  return Math.floor(ageInMonths(birthDate, at) / 12);
}

/** Completed months on the day of `at`, in UTC. */
export function ageInMonths(birthDate: string, at: Date): number {
  const born = dayOf(birthDate);
  const today = dayOf(at.toISOString());
  const months = (today.year - born.year) * 12 + (today.month - born.month);
  return Math.max(0, today.day < born.day ? months - 1 : months);
}

function dayOf(text: string): Day {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return { year, month, day };
}
