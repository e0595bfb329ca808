import type { DermatologistAnnotation } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import { amendAnswer, readStaffCase } from '../../gateway/desk-calls.ts';
import type { Failure } from '../../gateway/failure.ts';
import { UnsentEntries } from '../parts/unsent-entries.ts';
import { currentAnswer } from './current-answer.ts';
import { bodyOf, differences, type Draft, draftOf } from './draft.ts';

/** A published answer that is being replaced: which one, by what, and why. */
export interface Amendment {
  /** As the physician read it when the amendment began. */
  answer: DermatologistAnnotation;
  draft: Draft;
  reason: string;
}

export const amendmentOf = (answer: DermatologistAnnotation): Amendment => ({
  answer,
  draft: draftOf(answer),
  reason: '',
});

export const amendments = new UnsentEntries<Amendment>(
  ({ answer, draft, reason }) => reason.trim() !== '' || differences(draft, draftOf(answer)).length > 0,
);

/** Whether the answer that counts is no longer the one that is amended. */
export const isOutdated = (
  { answer }: Pick<Amendment, 'answer'>,
  current: DermatologistAnnotation | undefined,
): boolean => current?.uuid !== answer.uuid || current.version !== answer.version;

/** Whether the answer that counts is this amendment: it was signed, and only the reply was lost. */
export const isSigned = (
  { answer, draft, reason }: Amendment,
  current: DermatologistAnnotation | undefined,
): boolean =>
  current?.amends_uuid === answer.uuid &&
  current.amend_reason === reason.trim() &&
  JSON.stringify(bodyOf(draftOf(current))) === JSON.stringify(bodyOf(draft));

const conflict: Failure = { code: 'unexpected', reason: 'version_conflict', fields: {} };

/**
 * Replaces the answer that was read, and no newer one. The case is read before, because an amendment whose reply was lost
 * may count already.
 */
export async function sendAmendment(caseUuid: string, amendment: Amendment): Promise<Outcome<unknown>> {
  const { answer, draft, reason } = amendment;
  const read = await readStaffCase(caseUuid, new AbortController().signal);
  if (!read.ok) return read;
  const current = currentAnswer(read.value);
  if (isSigned(amendment, current)) return { ok: true, value: current };
  if (isOutdated(amendment, current)) return { ok: false, failure: conflict };
  return await amendAnswer(caseUuid, bodyOf(draft), { version: answer.version, reason: reason.trim() });
}
