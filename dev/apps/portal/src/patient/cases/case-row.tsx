import type { ListedCase } from 'dermagate-client';
import { forWhom } from '../../account/people/person-name.ts';
import { day } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { Link } from '../../ui/link.tsx';
import { hasUnreadAnswer, hasUnreadMessage, isAnswerUrgent, urgentAdvice } from './own-cases.ts';
import { earlierCase } from './refusal.ts';

interface CaseRowProps {
  item: ListedCase;
  /** Of the answers of a draft, which has no advice; undefined where that is not known or can wait. */
  draftUrgency?: 'emergency' | 'high' | undefined;
}

/** A case in a list: for whom, where it stands, what comes next, what is new. */
export function CaseRow({ item, draftUrgency }: CaseRowProps) {
  const { cases, folder, result } = texts.value;
  const { patient_status: status } = item;
  const urgency = status === 'draft' ? draftUrgency : urgentAdvice(item);
  return (
    <li>
      <Link to={`/cases/${item.uuid}`}>
        <span class="head">
          <strong>{fill(cases.item, { number: String(item.id) })}</strong>
          <span>{forWhom(item.patient)}</span>
        </span>
        <span class="tags">
          {urgency !== undefined && <span class={`tag ${urgency}`}>{result.urgency[urgency]}</span>}
          <span class={`tag ${status}`}>{cases.status[status]}</span>
          {hasUnreadAnswer(item) && <span class="tag new">{folder.newAnswer}</span>}
          {hasUnreadMessage(item) && <span class="tag new">{folder.newMessage}</span>}
        </span>
        {urgency === undefined ? (
          <span class="small">
            {earlierCase(item) === undefined ? folder.soon[status] : folder.duplicate}
          </span>
        ) : (
          <strong>
            {urgency === 'emergency'
              ? result.callNow
              : isAnswerUrgent(item) && !item.advice_is_newer
                ? cases.answerUrgentMore
                : result.flagsLead}
          </strong>
        )}
        <span class="small">{fill(cases.changed, { date: day(new Date(item.updated_at)) })}</span>
      </Link>
    </li>
  );
}
