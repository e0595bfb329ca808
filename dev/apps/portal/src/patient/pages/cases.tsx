import type { ListedCase, RedFlags } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { CaseRow } from '../cases/case-row.tsx';
import { useCases } from '../cases/own-cases.ts';
import { listCases } from '../../gateway/case-calls.ts';
import { texts } from '../../i18n/language.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { FlagBox } from '../result/red-flags-part.tsx';
import { urgentFlagsOf } from '../result/urgent-flags.tsx';
import { useOnce } from '../../query/use-once.ts';
import { EmergencyNotice } from '../../ui/emergency-notice.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** All cases of the account, the newest first. */
export function CasesPage({ intake }: { intake: IntakeSession }) {
  const { cases } = texts.value;
  const { value, failure, again } = useCases();
  // Of answers that no doctor has: a draft has no advice.
  const { steps, case: own } = intake.intake.value;
  const flags = steps.length > 0 && own?.sent !== true ? urgentFlagsOf(intake) : undefined;
  const hasDraft = value?.items.some(({ patient_status: status }) => status === 'draft') === true;
  return (
    <section class="card">
      <PageTitle about="cases">{cases.title}</PageTitle>
      {flags !== undefined && <FlagBox redFlags={flags} title={texts.value.intake.flagTitle} />}
      {hasDraft && flags?.urgency !== 'emergency' && <EmergencyNotice text={texts.value.home.emergency} />}
      <p class="lead">{cases.mine}</p>
      {value === undefined && failure === undefined && <Loading />}
      {failure !== undefined && <FailureNotice failure={failure} onRetry={again} />}
      {value !== undefined && (
        <CaseList
          key={value.items[0]?.uuid}
          page={value}
          urgencyOf={({ uuid }) => (uuid === own?.uuid ? urgencyOf(flags) : undefined)}
        />
      )}
    </section>
  );
}

interface Page {
  items: ListedCase[];
  next_cursor: string | null;
}

interface CaseListProps {
  page: Page;
  urgencyOf: (draft: ListedCase) => ReturnType<typeof urgencyOf>;
}

function urgencyOf(flags: RedFlags | undefined): 'emergency' | 'high' | undefined {
  const urgency = flags?.urgency;
  return urgency === 'emergency' || urgency === 'high' ? urgency : undefined;
}

function CaseList({ page, urgencyOf: urgency }: CaseListProps) {
  const { cases } = texts.value;
  const [more, setMore] = useState<Page>({ items: [], next_cursor: page.next_cursor });
  const { busy, failure, run } = useOnce();
  const known = new Set(page.items.map(({ uuid }) => uuid));
  const items = [...page.items, ...more.items.filter(({ uuid }) => !known.has(uuid))];
  if (items.length === 0) return <p>{cases.none}</p>;
  const cursor = more.next_cursor;
  const showMore = () => {
    const leaving = new AbortController();
    void run(
      () => listCases(cursor ?? undefined, leaving.signal),
      (next) => setMore({ items: [...more.items, ...next.items], next_cursor: next.next_cursor }),
    );
  };
  return (
    <>
      <ul class="case-list">
        {items.map((item) => (
          <CaseRow key={item.uuid} item={item} draftUrgency={urgency(item)} />
        ))}
      </ul>
      {failure !== undefined && <FailureNotice failure={failure} />}
      {cursor !== null && (
        <button type="button" class="outline" aria-busy={busy} onClick={showMore}>
          {cases.more}
        </button>
      )}
    </>
  );
}
