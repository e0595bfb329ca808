import type { Group } from 'dermagate-client';
import { listGroups } from '../../gateway/office-calls.ts';
import { number } from '../../i18n/format.ts';
import { languageNames } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { listCursor } from '../../session/route.ts';
import { ListContent } from '../../staff/list-content.tsx';
import type { Column } from '../../staff/staff-table.tsx';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { officeTexts } from '../i18n/texts.ts';

/** All groups with what each adds for its members, in words. */
export function GroupsPage() {
  const { groups } = officeTexts.value;
  const cursor = listCursor.value;
  const read = useRead(['groups', cursor], (signal) => listGroups(cursor, signal));
  return (
    <>
      <div class="staff-head">
        <PageTitle about="groups">{groups.title}</PageTitle>
        <Link to="/groups/new" class="button-link">
          {groups.add}
        </Link>
      </div>
      <p class="lead">{groups.lead}</p>
      <ListContent
        read={read}
        caption={groups.title}
        columns={columns()}
        rowKey={({ uuid }) => uuid}
        empty={groups.empty}
      />
    </>
  );
}

function columns(): Column<Group>[] {
  const { groups } = officeTexts.value;
  return [
    {
      key: 'name',
      label: groups.name,
      cell: ({ uuid, name }) => (
        <Link to={`/groups/${uuid}`}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      key: 'capabilities',
      label: groups.capabilities,
      cell: ({ settings }) =>
        settings.capabilities.map((capability) => groups.capability[capability].name).join(' · '),
    },
    {
      key: 'pools',
      label: groups.pools,
      cell: ({ settings }) => <bdi>{settings.pools.join(', ')}</bdi>,
    },
    {
      key: 'languages',
      label: groups.languages,
      cell: ({ settings }) => settings.languages.map((code) => languageNames[code]).join(', '),
    },
    { key: 'members', label: groups.members, cell: (group) => number(group.member_count), numeric: true },
  ];
}
