import { useRef } from 'preact/hooks';
import type { Outcome } from '../../gateway/attempt.ts';

/**
 * Makes a call after which the case is not in hand any more. Where that would lose what is not saved, the first attempt fails
 * with `draft_unsaved`; the second one goes on.
 *
 * @param before saves; false where something stays unsaved.
 */
export function useLeaving(before: () => Promise<boolean>) {
  const isWarned = useRef(false);
  return async <Value>(call: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> => {
    if (!(await before()) && !isWarned.current) {
      isWarned.current = true;
      return { ok: false, failure: { code: 'unexpected', reason: 'draft_unsaved', fields: {} } };
    }
    return await call();
  };
}
