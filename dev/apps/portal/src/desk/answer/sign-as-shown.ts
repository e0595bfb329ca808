import type { CaseDetail } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import type { Failure } from '../../gateway/failure.ts';
import { isSameCase } from './draft.ts';
import type { DraftKeeper } from './draft-keeper.ts';

/** Neither member: it is signed, or the keeper has a conflict to decide. */
interface Signing {
  failure?: Failure | undefined;
  /** The case as it is now, for the physician to read before signing. */
  changed?: CaseDetail;
}

/** Each renewal of the lease between reading and signing costs one. */
const attempts = 3;

/**
 * Signs the answer to the case that is on the screen, and to no other: what is shown may be minutes old, and others can
 * correct a case that is in hand. The gateway refuses where that happens between reading and signing.
 */
export async function signAsShown(
  shown: CaseDetail,
  keeper: Pick<DraftKeeper, 'sign'>,
  readCase: () => Promise<Outcome<CaseDetail>>,
  isConfirmed = false,
): Promise<Signing> {
  for (let attempt = 1; ; attempt += 1) {
    const read = await readCase();
    if (!read.ok) return { failure: read.failure };
    if (!isSameCase(shown, read.value)) return { changed: read.value };
    const failure = await keeper.sign(read.value.version, isConfirmed);
    if (failure?.reason !== 'case_changed' || attempt === attempts) return { failure };
  }
}
