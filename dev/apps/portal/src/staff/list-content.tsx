import { number } from '../i18n/format.ts';
import { fill } from '../i18n/texts.ts';
import type { Read } from '../query/use-read.ts';
import { path, query } from '../session/route.ts';
import { Link } from '../ui/link.tsx';
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
 * A list as far as it is known: loading, why it could not be read, empty, or a table with the way to its next page. The
 * page is `cursor` in the address, each an entry of the history, so that the browser's Back leads to the page before.
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
  const isFirst = !query.value.has('cursor');
  if (isFirst && next === null) return null;
  return (
    <nav class="pager" aria-label={nextPage}>
      {!isFirst && <Link to={addressOfPage(undefined)}>{firstPage}</Link>}
      {next !== null && <Link to={addressOfPage(next)}>{nextPage}</Link>}
    </nav>
  );
}

function addressOfPage(cursor: string | undefined): string {
  const values = new URLSearchParams(query.value.toString());
  if (cursor === undefined) values.delete('cursor');
  else values.set('cursor', cursor);
  const text = values.toString();
  return path.value + (text && `?${text}`);
}
