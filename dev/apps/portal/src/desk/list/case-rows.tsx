import type { CaseSummary, RecommendedAction, RedFlagUrgency } from 'dermagate-client';
import { useRef } from 'preact/hooks';
import { number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { LeaseTimer } from '../parts/lease.tsx';
import { fromNow } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';
import { moveInList, useKeys } from '../keys/use-keys.ts';
import { Link } from '../../ui/link.tsx';

interface CaseRowsProps<Shown extends CaseSummary> {
  cases: readonly Shown[];
  /** At the end of each row. */
  detailOf?: (shown: Shown) => string | undefined;
  /** Whether j and k move here; at most one list of a page. */
  hasKeys?: boolean;
}

/** Cases, one line for each on a desktop; j and k move, Enter opens. */
export function CaseRows<Shown extends CaseSummary>({
  cases,
  detailOf,
  hasKeys = false,
}: CaseRowsProps<Shown>) {
  const list = useRef<HTMLOListElement>(null);
  return (
    <>
      {hasKeys && <ListKeys move={(step) => moveInList(list.current, step)} />}
      <ol ref={list} class="case-rows">
        {cases.map((shown) => (
          <li key={shown.uuid}>
            <CaseRow shown={shown} detail={detailOf?.(shown)} />
          </li>
        ))}
      </ol>
    </>
  );
}

function ListKeys({ move }: { move: (step: 1 | -1) => void }) {
  const { keys } = deskTexts.value;
  useKeys([
    { press: 'j', label: keys.down, run: () => move(1) },
    { press: 'k', label: keys.up, run: () => move(-1) },
  ]);
  return null;
}

function CaseRow({ shown, detail }: { shown: CaseSummary; detail: string | undefined }) {
  const words = deskTexts.value;
  const { patient, urgency, triage_level: level, status, pending_status: pending, due_at: due } = shown;
  const isDue = due !== null && isUnanswered(status);
  const isInHand = status === 'in_review' && shown.lease_expires_at !== null;
  // Once it is answered, what the patient is to do counts.
  const action = isUnanswered(status) ? undefined : (shown.diagnosis?.recommended_action ?? undefined);
  const mark = action === undefined ? urgency : urgencyOf(action);
  const reasons = shown.diagnosis?.contradiction_reasons ?? [];
  return (
    <Link to={`/cases/${shown.uuid}`} class="case-row">
      <span class={`mark ${mark ?? 'low'}`} title={mark === null ? '' : words.urgency[mark]}>
        {action !== undefined ? (
          <span class="visually-hidden">{words.answer.actions[action]}</span>
        ) : (
          shown.has_red_flags && (
            <span class="visually-hidden">
              {words.list.flags}: {words.urgency[urgency ?? 'low']}
            </span>
          )
        )}
      </span>
      <span class="number">{shown.id}</span>
      <span class="who">
        {patient.display_name ?? words.list.unnamed}
        <span class="small"> {personLine(patient)}</span>
      </span>
      <span class="level">
        {action !== undefined ? words.answer.actions[action] : level !== null && words.triage[level]}
      </span>
      <span class="state">
        {isInHand ? (
          <LeaseTimer until={shown.lease_expires_at ?? ''} />
        ) : (
          <>
            {words.status[status]}
            {pending !== null && <span class="small"> {words.pending[pending]}</span>}
          </>
        )}
      </span>
      <span class="detail" dir="auto">
        {detail ?? shown.diagnosis?.name}
        {reasons.map(({ code, reason }) => (
          <span key={code} class="small">
            {' '}
            {words.answer.contradictions.stated}: {reason}
          </span>
        ))}
      </span>
      <span class={shown.overdue ? 'due late' : 'due'}>
        {isDue && fill(shown.overdue ? words.list.overdue : words.list.due, { time: fromNow(due) })}
      </span>
      <span class="lang" lang={shown.language}>
        {shown.language}
      </span>
    </Link>
  );
}

/** How urgent an answer is, in the words of red flags. */
const urgencyOf = (action: RecommendedAction): RedFlagUrgency =>
  action === 'call_emergency_services'
    ? 'emergency'
    : ['same_day_medical_review', 'physician_review_within_24h'].includes(action)
      ? 'high'
      : 'low';

/** Whether the time by which it is due still matters. */
export const isUnanswered = (status: CaseSummary['status']): boolean =>
  ['submitted', 'queued', 'in_review', 'on_hold'].includes(status);

/** Age and gender, as far as they are known. */
export function personLine({ age_years: age, gender }: CaseSummary['patient']): string {
  const words = deskTexts.value;
  const parts = [
    age === null ? undefined : fill(words.list.age, { age: number(age) }),
    gender === null ? undefined : words.gender[gender],
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}
