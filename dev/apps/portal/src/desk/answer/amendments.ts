import type { CaseDetail, DermatologistAnnotation } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import { amendAnswer, readStaffCase } from '../../gateway/desk-calls.ts';
import type { Failure } from '../../gateway/failure.ts';
import { UnsentEntries } from '../parts/unsent-entries.ts';
import { withoutControls } from '../../gateway/without-controls.ts';
import { currentAnswer } from './current-answer.ts';
import { bodyOf, differences, type Draft, draftOf, isSameBody, isSameCase } from './draft.ts';

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

const sentReason = (reason: string) => withoutControls(reason).trim().normalize();

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
  current.amend_reason === sentReason(reason) &&
  isSameBody(draftOf(current), draft);

const refused = (reason: 'version_conflict' | 'case_changed'): Outcome<never> => {
  const failure: Failure = { code: 'unexpected', reason, fields: {} };
  return { ok: false, failure };
};

/**
 * Replaces the answer that was read, and no newer one. The case is read before, because an amendment whose reply was lost
 * may count already.
 * @param shown the case as it is on the screen.
 * @param isConfirmed whether the author confirms an answer that contradicts an emergency.
 */
export async function sendAmendment(
  shown: CaseDetail,
  amendment: Amendment,
  isConfirmed = false,
): Promise<Outcome<unknown>> {
  const { uuid } = shown;
  const { answer, draft, reason } = amendment;
  const read = await readStaffCase(uuid, new AbortController().signal);
  if (!read.ok) return read;
  const current = currentAnswer(read.value);
  if (isSigned(amendment, current)) return { ok: true, value: current };
  if (isOutdated(amendment, current)) return refused('version_conflict');
  if (!isSameCase(shown, read.value)) return refused('case_changed');
  const versions = { version: answer.version, caseVersion: read.value.version };
  return await amendAnswer(
    uuid,
    { ...bodyOf(draft), confirm_emergency: isConfirmed },
    { ...versions, reason: sentReason(reason) },
  );
}
