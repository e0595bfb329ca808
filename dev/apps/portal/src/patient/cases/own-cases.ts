import type { ListedCase, MobileCase } from 'dermagate-client';
import { useEffect } from 'preact/hooks';
import { acknowledgeCase, listCases, readCase } from '../../gateway/case-calls.ts';
import type { Failure } from '../../gateway/failure.ts';
import { answerUrgency } from './answer-urgency.tsx';
import { readAgain, setRead, useRead } from '../../query/use-read.ts';

const LIST = ['cases'];
const keyOf = (uuid: string) => ['case', uuid];

/** Milliseconds. News also comes by mail and push; an open page shows it soon. */
const REFRESH = 60_000;

/** The newest cases of the account; the same for all pages that show them. */
export const useCases = (enabled = true) =>
  useRead(LIST, (signal) => listCases(undefined, signal), {
    every: REFRESH,
    enabled,
    survivesLanguage: true,
  });

/** A new language does not unmount its page: entries would be lost, and offline the advice of an urgent case too. */
export const useCase = (uuid: string) =>
  useRead(
    keyOf(uuid),
    async (signal) => {
      const read = await readCase(uuid, signal);
      // Reading a case marks its messages as read.
      if (read.ok && hasUnreadMessage(read.value)) readAgain(LIST);
      return read;
    },
    { every: REFRESH, survivesLanguage: true },
  );

/** Reads the case again that was no longer as it was read, so that the next attempt is about what it is now. */
export function useReadOnConflict(uuid: string, failure: Failure | undefined): void {
  useEffect(() => {
    if (failure?.code === 'version_conflict' || failure?.code === 'case_state_conflict')
      readAgain(keyOf(uuid));
  }, [failure]);
}

/** Shows what a call has made of a case, at once and everywhere. */
export function noteCase(changed: MobileCase): void {
  setRead(keyOf(changed.uuid), changed);
  readAgain(LIST);
}

/** The same for each time that a draft is stored: lists are read again when they are opened. */
export function noteDraft(stored: MobileCase): void {
  setRead(keyOf(stored.uuid), stored);
  if (stored.version === 1) readAgain(LIST);
}

/** The answer counts as read from now on. */
export async function acknowledge({ uuid, allowed_actions: actions }: MobileCase): Promise<void> {
  if (!actions.includes('acknowledge')) return;
  const read = await acknowledgeCase(uuid);
  if (read.ok) noteCase(read.value);
}

export const hasUnreadAnswer = (shown: ListedCase): boolean =>
  shown.patient_status === 'answered' && shown.answer_available && shown.answer_read_at === null;

export const hasUnreadMessage = ({ messages }: Pick<MobileCase, 'messages'>): boolean =>
  messages.some(({ direction, read_at: readAt }) => direction === 'to_patient' && readAt === null);

const open: readonly string[] = ['waiting', 'in_review', 'action_needed'];

/**
 * How soon a patient must act; undefined where that can wait. Once a doctor has answered, the answer counts alone; where danger
 * was found since, what is more urgent of the answer and of the advice.
 */
export function urgentAdvice(shown: ListedCase): 'emergency' | 'high' | undefined {
  const { advice, patient_status: status, answer_available: isAnswered, advice_is_newer: isNewer } = shown;
  const isAdvised = isAnswered ? isNewer && status !== 'cancelled' : open.includes(status);
  const urgencies = [isAnswered ? answerUrgency(shown) : undefined, isAdvised ? advice?.urgency : undefined];
  return (['emergency', 'high'] as const).find((urgency) => urgencies.includes(urgency));
}

/** Whether it is the doctor's answer that is urgent. */
export const isAnswerUrgent = (shown: ListedCase): boolean =>
  shown.answer_available && answerUrgency(shown) !== undefined;

/** Whether the patient should look at it. */
export const needsAttention = (shown: ListedCase): boolean =>
  shown.patient_status === 'action_needed' ||
  urgentAdvice(shown) !== undefined ||
  hasUnreadAnswer(shown) ||
  hasUnreadMessage(shown);
