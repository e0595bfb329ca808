import { number } from '../i18n/format.ts';
import { fill } from '../i18n/texts.ts';
import type { Read } from '../query/use-read.ts';
import { goToListPage, listCursor } from '../session/route.ts';
import { Loading } from '../ui/loading.tsx';
import { staffTexts } from './i18n/texts.ts';
import { StaffFailure } from './staff-failure.tsx';
import { type Column, StaffTable } from './staff-table.tsx';

interface Page<Row> {
  items: readonly Row[];
  next_cursor: string | null;
}

interface ListContentProps<Row> {
  read: Read<Page<Row>>;
  caption: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Where nothing was found; by default that nothing fits the filters. */
  empty?: string;
}

/**
 * A list as far as it is known: loading, why it could not be read, empty, or a table with the way to its next page, which
 * is another entry of the history.
 */
export function ListContent<Row>({ read, caption, columns, rowKey, empty }: ListContentProps<Row>) {
  const { value, failure, busy, again } = read;
  const { nothingFound, shown } = staffTexts.value;
  const items = value?.items ?? [];
  return (
    <div aria-busy={busy && value !== undefined}>
      {failure !== undefined && <StaffFailure failure={failure} onRetry={again} />}
      {value === undefined && failure === undefined && <Loading />}
      {value !== undefined && items.length === 0 && <p class="empty">{empty ?? nothingFound}</p>}
      {items.length > 0 && <StaffTable caption={caption} columns={columns} rows={items} rowKey={rowKey} />}
      {value !== undefined && (
        <p class="visually-hidden" role="status">
          {fill(shown, { count: number(items.length) })}
        </p>
      )}
      <Pager next={value?.next_cursor ?? null} />
    </div>
  );
}

function Pager({ next }: { next: string | null }) {
  const { firstPage, nextPage } = staffTexts.value;
  const isFirst = listCursor.value === undefined;
  if (isFirst && next === null) return null;
  return (
    <nav class="pager" aria-label={nextPage}>
      {!isFirst && (
        <button type="button" class="secondary outline" onClick={() => goToListPage(undefined)}>
          {firstPage}
        </button>
      )}
      {next !== null && (
        <button type="button" class="secondary outline" onClick={() => goToListPage(next)}>
          {nextPage}
        </button>
      )}
    </nav>
  );
}
