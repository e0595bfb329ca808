import { useEffect } from 'preact/hooks';
import type { Failure } from '../../gateway/failure.ts';
import { useOnce, type Work } from '../../query/use-once.ts';
import { readAgain } from '../../query/use-read.ts';

/** Of a case that is no longer as it was read. */
const outdated: readonly Failure['reason'][] = [
  'version_conflict',
  'case_state_conflict',
  'case_not_found',
  'lease_lost',
  'annotation_published',
];

/**
 * As `useOnce`, for what moves a case: one that is no longer as it was read is read again, so that the page offers what is
 * possible now, and another attempt names the version of now.
 */
export function useCaseWork(uuid: string): Work {
  const work = useOnce();
  const { failure } = work;
  useEffect(() => {
    if (outdated.includes(failure?.reason)) readAgain(['case', uuid]);
  }, [failure]);
  return work;
}
