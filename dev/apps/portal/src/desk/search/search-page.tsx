import { searchCases } from '../../gateway/desk-calls.ts';
import { number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { query, replaceQuery } from '../../session/route.ts';
import { unsentOf } from '../../session/unsent.ts';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { CaseRows } from '../list/case-rows.tsx';
import { PageTurner } from '../list/page-turner.tsx';
import { useMyProfile } from '../parts/my-profile.ts';
import { FilterBar } from './filter-bar.tsx';
import { type Filters, filtersOf, searchOf, unsearchable } from './filters.ts';

const PAGE = 50;

/** Finds cases; the filters stand in the address, so that a list can be kept as a bookmark. */
export function SearchPage({ isAdmin }: { isAdmin: boolean }) {
  const words = deskTexts.value;
  const filters = filtersOf(query.value);
  // Names stay out of the address, and are here again when a case that was found is left.
  const typed = unsentOf('search', '');
  const text = typed.value;
  const setText = (entry: string) => void (typed.value = entry);
  // The page of the list as well, of this search alone: a cursor of another one is refused.
  const turned = unsentOf<{ key: string; cursors: readonly string[] }>('search page', {
    key: '',
    cursors: [],
  });
  const pageSize = useMyProfile().value?.settings?.page_size ?? PAGE;
  const search = searchOf(filters, text);
  const unfit = unsearchable(filters, text);
  const key = JSON.stringify(search);
  const cursors = turned.value.key === key ? turned.value.cursors : [];
  const turnTo = (next: readonly string[]) => {
    turned.value = { key, cursors: next };
    scrollTo(0, 0);
  };
  const cursor = cursors.at(-1);
  const read = useRead(
    ['search', key, cursor, pageSize],
    (signal) =>
      searchCases(
        {
          ...search,
          limit: pageSize,
          count: cursor === undefined ? 'capped' : 'none',
          ...(cursor !== undefined && { cursor }),
        },
        signal,
      ),
    { keepsPrevious: true, enabled: unfit === undefined },
  );
  // What was found before, or why it could not be, is no answer to what is typed now.
  const { value, failure } = unfit === undefined ? read : { value: undefined, failure: undefined };
  const change = (patch: Filters) => replaceQuery({ ...filters, ...patch });
  return (
    <div class="search-page">
      <PageTitle about="search">{words.search}</PageTitle>
      <FilterBar
        filters={filters}
        text={text}
        isAdmin={isAdmin}
        onChange={change}
        onText={setText}
        onClear={() => {
          setText('');
          replaceQuery({});
        }}
      />
      <p class="small" role="status">
        {unfit !== undefined && words.filters.unfit[unfit]}
        {value?.count != null &&
          fill(value.count.capped ? words.list.countCapped : words.list.count, {
            count: number(value.count.value),
          })}
        {value?.items.length === 0 && ` ${words.list.empty}`}
      </p>
      {failure !== undefined && <DeskFailure failure={failure} onRetry={read.again} />}
      {unfit === undefined && value === undefined && failure === undefined && <Loading />}
      {value !== undefined && failure === undefined && (
        <div aria-busy={read.busy}>
          <CaseRows cases={value.items} hasKeys />
        </div>
      )}
      <PageTurner cursors={cursors} next={value?.next_cursor} onTurn={turnTo} />
    </div>
  );
}
