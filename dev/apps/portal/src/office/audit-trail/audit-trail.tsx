import { useState } from 'preact/hooks';
import { exportTrail, readTrail, type TrailFilter } from '../../gateway/office-calls.ts';
import { useOnce } from '../../query/use-once.ts';
import { useRead } from '../../query/use-read.ts';
import { FilterBar, FilterSelect, FilterText } from '../../staff/filter-fields.tsx';
import { ListContent } from '../../staff/list-content.tsx';
import { StaffFailure } from '../../staff/staff-failure.tsx';
import { useFilters } from '../../staff/use-filters.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { DayField } from './day-field.tsx';
import { trailColumns } from './trail-columns.tsx';
import { categories, filterNames, kinds, outcomes, toTrailFilter } from './trail-filter.ts';

/** Who did what with a case or a person, with filters, as a table and as a file. */
export function AuditTrailPage() {
  const { trail } = officeTexts.value;
  const { values, cursor, set, isFiltered, clear } = useFilters(filterNames);
  const filter = toTrailFilter(values);
  return (
    <>
      <div class="staff-head">
        <PageTitle about="audit-trail">{trail.title}</PageTitle>
        {filter !== undefined && <Download filter={filter} />}
      </div>
      <FilterBar label={trail.filters} onClear={isFiltered ? clear : undefined}>
        <FilterSelect
          label={trail.whose}
          isRequired
          value={values.whose || kinds[0]}
          options={kinds.map((kind) => [kind, trail.kinds[kind]])}
          onChange={(whose) => set({ whose })}
        />
        <FilterText
          label={trail.id}
          value={values.id}
          hint={trail.idHint}
          onChange={(id) => set({ id: id.trim() })}
        />
        <FilterSelect
          label={trail.category}
          value={values.category}
          options={categories.map((category) => [category, trail.categories[category]])}
          onChange={(category) => set({ category })}
        />
        <FilterText label={trail.action} value={values.action} onChange={(action) => set({ action })} />
        <FilterSelect
          label={trail.outcome}
          value={values.outcome}
          options={outcomes.map((outcome) => [outcome, trail.outcomes[outcome]])}
          onChange={(outcome) => set({ outcome })}
        />
        <DayField label={trail.from} value={values.from} onChange={(from) => set({ from })} />
        <DayField label={trail.to} value={values.to} onChange={(to) => set({ to })} />
      </FilterBar>
      {filter === undefined ? (
        <p class="empty">{values.id === '' ? trail.nameOne : trail.noId}</p>
      ) : (
        <Events filter={filter} cursor={cursor} />
      )}
    </>
  );
}

function Events({ filter, cursor }: { filter: TrailFilter; cursor: string | undefined }) {
  const { trail } = officeTexts.value;
  const read = useRead(['trail', filter, cursor], (signal) => readTrail(filter, cursor, signal), {
    keepsPrevious: true,
  });
  return (
    <ListContent read={read} caption={trail.title} columns={trailColumns()} rowKey={({ uuid }) => uuid} />
  );
}

/** The file needs the session, so a link alone cannot load it. */
function Download({ filter }: { filter: TrailFilter }) {
  const { trail } = officeTexts.value;
  const { busy, failure, run } = useOnce();
  const [isDone, setDone] = useState(false);
  const download = () =>
    run(
      () => exportTrail(filter),
      (file) => {
        const address = URL.createObjectURL(file);
        const link = document.createElement('a');
        link.href = address;
        link.download = 'audit-trail.csv';
        link.click();
        // The browser reads the file after the click.
        setTimeout(() => URL.revokeObjectURL(address), 60_000);
        setDone(true);
      },
    );
  return (
    <div>
      <button type="button" class="outline" aria-busy={busy} onClick={() => void download()}>
        {trail.download}
      </button>
      <span class="visually-hidden" role="status">
        {isDone && trail.downloaded}
      </span>
      {failure !== undefined && <StaffFailure failure={failure} />}
    </div>
  );
}
