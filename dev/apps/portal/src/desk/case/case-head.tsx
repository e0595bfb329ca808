import type { CaseDetail } from 'dermagate-client';
import { fill, languageNames } from '../../i18n/texts.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { fromNow, shortMoment } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';
import { isUnanswered, personLine } from '../list/case-rows.tsx';
import { LeaseTimer } from '../parts/lease.tsx';

/** Where the profile says nothing, what was answered counts. */
const withStated = ({ patient, anamnesis: { patient: stated } }: CaseDetail): CaseDetail['patient'] => ({
  ...patient,
  age_years: patient.age_years ?? stated?.ageYears ?? null,
  gender: patient.gender ?? stated?.gender ?? null,
});

/** Who it is about and how soon it must be answered, in one line on a desktop. */
export function CaseHead({ shown }: { shown: CaseDetail }) {
  const words = deskTexts.value;
  const { patient, triage_level: level, due_at: due, pending_status: pending, urgency } = shown;
  return (
    <header class="case-head">
      <PageTitle about={shown.uuid}>
        {fill(words.caseNumber, { number: String(shown.id) })}{' '}
        <span class="name">{patient.display_name ?? words.relation[patient.relation]}</span>
      </PageTitle>
      <ul class="facts">
        <li>{personLine(withStated(shown))}</li>
        <li class={`tag ${urgency ?? ''}`}>{level === null ? '–' : words.triage[level]}</li>
        <li class="tag">
          {words.status[shown.status]}
          {pending !== null && ` · ${words.pending[pending]}`}
        </li>
        {shown.status === 'in_review' && shown.lease_expires_at !== null && (
          <li>
            <LeaseTimer until={shown.lease_expires_at} />
          </li>
        )}
        {due !== null && isUnanswered(shown.status) && (
          <li class={shown.overdue ? 'late' : undefined} title={shortMoment(due)}>
            {fill(shown.overdue ? words.list.overdue : words.list.due, { time: fromNow(due) })}
          </li>
        )}
        <li>
          {words.case.language}: {languageNames[shown.language]}
        </li>
        {shown.assigned_physician !== null && (
          <li>{fill(words.list.with, { name: shown.assigned_physician.display_name })}</li>
        )}
      </ul>
    </header>
  );
}
