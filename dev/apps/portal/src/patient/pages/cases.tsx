import type { MobileCase } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { CaseRow } from '../cases/case-row.tsx';
import { useCases } from '../cases/own-cases.ts';
import { listCases } from '../../gateway/case-calls.ts';
import { texts } from '../../i18n/language.ts';
import { useOnce } from '../../query/use-once.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** All cases of the account, the newest first. */
export function CasesPage() {
  const { cases } = texts.value;
  const { value, failure, again } = useCases();
  return (
    <section class="card">
      <PageTitle about="cases">{cases.title}</PageTitle>
      <p class="lead">{cases.mine}</p>
      {value === undefined && failure === undefined && <Loading />}
      {failure !== undefined && <FailureNotice failure={failure} onRetry={again} />}
      {value !== undefined && <CaseList key={value.items[0]?.uuid} page={value} />}
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
