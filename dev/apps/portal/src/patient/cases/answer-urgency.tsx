import type { MobileCase, RecommendedAction } from 'dermagate-client';
import { emergencyNumber } from '../../gateway/help-lines.ts';
import { texts } from '../../i18n/language.ts';
import { CallLink } from '../../ui/call-link.tsx';
import { WarningIcon } from '../../ui/icons.tsx';

type Urgency = 'emergency' | 'high';

const urgent: Partial<Record<RecommendedAction, Urgency>> = {
  call_emergency_services: 'emergency',
  same_day_medical_review: 'high',
  physician_review_within_24h: 'high',
};

/** How soon a patient must act who is to do this; undefined where that can wait. */
export const urgencyOf = (action: RecommendedAction): Urgency | undefined => urgent[action];

/** As {@link urgencyOf}, by the doctor's answer that counts. */
export const answerUrgency = ({ answer_action: action }: Pick<MobileCase, 'answer_action'>) =>
  action === null ? undefined : urgencyOf(action);

/** Whether the doctor's answer counts instead of the advice before it. */
export const isAdviceReplaced = ({
  answer_available: isAvailable,
  advice_is_newer: isNewer,
}: Pick<MobileCase, 'answer_available' | 'advice_is_newer'>): boolean => isAvailable && !isNewer;

/** What the doctor's answer asks for at once; above everything else of a case. */
export function AnswerUrgency({ shown }: { shown: MobileCase }) {
  const { cases, result } = texts.value;
  const urgency = answerUrgency(shown);
  if (urgency === undefined) return null;
  const number = shown.advice?.emergencyNumber ?? emergencyNumber.value;
  const isToday = shown.answer_action === 'same_day_medical_review';
  return (
    <section class={`red-flags ${urgency}`} role="alert" aria-labelledby="answer-urgency">
      <h2 id="answer-urgency">
        <WarningIcon />
        {cases.answerUrgent}
      </h2>
      <p>
        <strong>
          {urgency === 'emergency' ? result.callNow : isToday ? cases.answerToday : cases.answerWithinDay}
        </strong>
      </p>
      {urgency === 'emergency' && number !== undefined && <CallLink number={number} label={result.call} />}
      <p>{cases.answerUrgentMore}</p>
    </section>
  );
}
