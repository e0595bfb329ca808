import type { MobileCase } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { forWhom } from '../../account/people/person-name.ts';
import { useLoaded } from '../../query/use-loaded.ts';
import { useOnce } from '../../query/use-once.ts';
import { listCases } from '../../gateway/case-calls.ts';
import { dateAndTime } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** All cases of the account, the newest first. */
export function CasesPage() {
  const { cases } = texts.value;
  const first = useLoaded((signal) => listCases(undefined, signal), 'cases');
  return (
    <section class="card">
      <PageTitle about="cases">{cases.title}</PageTitle>
      <p class="lead">{cases.mine}</p>
      {first.outcome === undefined && <Loading />}
      {first.outcome?.ok === false && <FailureNotice failure={first.outcome.failure} onRetry={first.again} />}
      {first.outcome?.ok && <CaseList key={first.outcome.value.items[0]?.uuid} page={first.outcome.value} />}
    </section>
  );
}

interface Page {
  items: MobileCase[];
  next_cursor: string | null;
}

function CaseList({ page }: { page: Page }) {
  const { cases } = texts.value;
  const [more, setMore] = useState<Page>({ items: [], next_cursor: page.next_cursor });
  const { busy, failure, run } = useOnce();
  const items = [...page.items, ...more.items];
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
          <CaseRow key={item.uuid} item={item} />
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

function CaseRow({ item }: { item: MobileCase }) {
  const { cases } = texts.value;
  const { patient_status: status } = item;
  return (
    <li>
      <Link to={`/cases/${item.uuid}`}>
        <span class={`tag ${status}`}>{cases.status[status]}</span>
        <strong>{fill(cases.item, { number: String(item.id) })}</strong>
        <span>{forWhom(item.patient)}</span>
        <span class="small">{fill(cases.changed, { date: dateAndTime(new Date(item.updated_at)) })}</span>
      </Link>
    </li>
  );
}
