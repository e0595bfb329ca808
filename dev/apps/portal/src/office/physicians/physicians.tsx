import type { Language, PhysicianDetails, PhysicianQuery, User } from 'dermagate-client';
import { listPhysicians } from '../../gateway/office-calls.ts';
import { number } from '../../i18n/format.ts';
import { languageNames, languages } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { FilterBar, FilterSelect, FilterText } from '../../staff/filter-fields.tsx';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { ListContent } from '../../staff/list-content.tsx';
import { Moment } from '../../staff/moment.tsx';
import type { Column } from '../../staff/staff-table.tsx';
import { useSearch } from '../../staff/use-search.ts';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { PhysicianState } from './physician-state.tsx';

const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text);
/** As the gateway has it. */
const isPool = (text: string): boolean => /^(?!general$)[a-z0-9][a-z0-9_-]{0,63}$/.test(text);

/** All physicians with their lanes and how much they have to do. */
export function PhysiciansPage({ user }: { user: User }) {
  const { physicians } = officeTexts.value;
  const { values, cursor, set, q, setText, onClear } = useSearch('physicians', user, [
    'language',
    'pool',
    'vacation',
    'state',
  ]);
  const pool = values.pool.toLowerCase();
  // Sent, it would be refused; left out, the list would be that of every pool.
  const isNoPool = pool !== '' && !isPool(pool);
  const filter: PhysicianQuery['filter'] = {
    ...(q !== '' && { q }),
    ...(isLanguage(values.language) && { language: values.language }),
    ...(pool !== '' && { pool }),
    ...(values.vacation !== '' && { vacation_mode: values.vacation === 'away' }),
    ...(values.state !== '' && { active: values.state === 'active' }),
  };
  const read = useRead(
    ['physicians', filter, cursor],
    (signal) => listPhysicians({ filter, limit: 50, ...(cursor !== undefined && { cursor }) }, signal),
    { keepsPrevious: true, enabled: !isNoPool },
  );
  return (
    <>
      <div class="staff-head">
        <PageTitle about="physicians">{physicians.title}</PageTitle>
        <Link to="/physicians/new" class="button-link">
          {physicians.add}
        </Link>
      </div>
      <FilterBar label={physicians.filters} onClear={onClear}>
        <FilterText label={physicians.search} value={q} most={80} onChange={setText} />
        <FilterText label={physicians.pool} value={values.pool} onChange={(pool) => set({ pool })} />
        <FilterSelect
          label={physicians.language}
          value={values.language}
          options={languages.map((code) => [code, languageNames[code]])}
          onChange={(language) => set({ language })}
        />
        <FilterSelect
          label={physicians.presence}
          value={values.vacation}
          options={[
            ['here', physicians.here],
            ['away', physicians.away],
          ]}
          onChange={(vacation) => set({ vacation })}
        />
        <FilterSelect
          label={officeTexts.value.accounts.state}
          value={values.state}
          options={[
            ['active', officeTexts.value.accounts.active],
            ['inactive', officeTexts.value.accounts.inactive],
          ]}
          onChange={(state) => set({ state })}
        />
      </FilterBar>
      <p role="status">{isNoPool && staffTexts.value.noSuchPool}</p>
      {!isNoPool && (
        <ListContent read={read} caption={physicians.title} columns={columns()} rowKey={({ uuid }) => uuid} />
      )}
    </>
  );
}

function columns(): Column<PhysicianDetails>[] {
  const { physicians } = officeTexts.value;
  return [
    {
      key: 'name',
      label: physicians.name,
      cell: ({ uuid, display_name: name }) => (
        <Link to={`/physicians/${uuid}`}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      key: 'languages',
      label: physicians.languages,
      cell: (each) => each.review_languages.map((code) => languageNames[code]).join(', '),
    },
    {
      key: 'pools',
      label: physicians.pools,
      cell: ({ private_pool: pool, admin_settings: settings }) => (
        <>
          {settings?.general_pool !== false && staffTexts.value.generalPool}
          {settings?.general_pool !== false && pool !== null && ', '}
          {pool !== null && <bdi>{pool}</bdi>}
        </>
      ),
    },
    {
      key: 'state',
      label: officeTexts.value.accounts.state,
      cell: (physician) => <PhysicianState physician={physician} />,
    },
    { key: 'open', label: physicians.openCases, cell: ({ load }) => number(load.open), numeric: true },
    { key: 'reserved', label: physicians.reserved, cell: ({ load }) => number(load.reserved), numeric: true },
    {
      key: 'answered',
      label: physicians.answered,
      cell: ({ load }) => number(load.answered_7d),
      numeric: true,
    },
    { key: 'active', label: physicians.lastActive, cell: ({ last_active_at: at }) => <Moment at={at} /> },
  ];
}
