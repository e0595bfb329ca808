import type { MobileCase } from 'dermagate-client';

const DUPLICATE = 'duplicate_case:';

/** The earlier case that counts instead; undefined where the clinic refuses this one for another reason as well. */
export function earlierCase({
  refused_for: reasons = [],
}: Pick<MobileCase, 'refused_for'>): string | undefined {
  const [only, ...others] = reasons;
  return others.length === 0 && only?.startsWith(DUPLICATE) === true
    ? only.slice(DUPLICATE.length)
    : undefined;
}
