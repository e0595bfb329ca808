import type { PartialAnamnesis } from 'dermagate-client';

type Place = NonNullable<PartialAnamnesis['locations']>[number];

/** Whether two cases are about the same region, and about the same place of it where both name one. */
export function isSamePlace(a: readonly Place[] = [], b: readonly Place[] = []): boolean {
  return a.some((one) =>
    b.some(
      (other) =>
        one.primary !== undefined &&
        one.primary === other.primary &&
        (one.secondary === undefined || other.secondary === undefined || one.secondary === other.secondary),
    ),
  );
}
