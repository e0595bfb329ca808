import type { GroupDetail } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { changeMembers, searchStaff } from '../../gateway/office-calls.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { type Read, useRead } from '../../query/use-read.ts';
import { FilterText } from '../../staff/filter-fields.tsx';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { ListContent } from '../../staff/list-content.tsx';
import { StaffFailure } from '../../staff/staff-failure.tsx';
import type { Column } from '../../staff/staff-table.tsx';
import { accountColumns } from '../parts/account-columns.tsx';
import { officeTexts } from '../i18n/texts.ts';

type Member = GroupDetail['members']['items'][number];

interface GroupMembersProps {
  group: GroupDetail;
  read: Read<GroupDetail>;
  onChanged: () => void;
}

/** Who is in the group; found by address to join. */
export function GroupMembers({ group, read, onChanged }: GroupMembersProps) {
  const { groups } = officeTexts.value;
  const [text, setText] = useState('');
  const [message, setMessage] = useState<string>();
  const { busy, failure, run } = useOnce();

  const change = (what: { add?: string[]; remove?: string[] }, done: string) =>
    run(
      () => changeMembers(group.uuid, { add: [], remove: [], ...what }),
      ({ results }) => {
        const refused = results.find(({ ok }) => !ok)?.code;
        setMessage(refused === undefined ? done : groups.refused[refused]);
        onChanged();
      },
    );
  const add = ({ uuid, email }: { uuid: string; email: string }) =>
    void change({ add: [uuid] }, fill(groups.joined, { email }));
  const remove = ({ uuid, email }: Member) => void change({ remove: [uuid] }, fill(groups.left, { email }));

  return (
    <>
      {failure !== undefined && <StaffFailure failure={failure} />}
      <div role="status">{message !== undefined && <p class="notice">{message}</p>}</div>
      <div class="filters">
        <FilterText label={groups.addMember} value={text} onChange={setText} />
      </div>
      {text !== '' && <Candidates text={text} members={group.members.items} busy={busy} onAdd={add} />}
      <ListContent
        read={{ ...read, value: group.members }}
        caption={groups.members}
        columns={memberColumns(busy, remove)}
        rowKey={({ uuid }) => uuid}
        empty={groups.noMembers}
      />
    </>
  );
}

function memberColumns(busy: boolean, onRemove: (member: Member) => void): Column<Member>[] {
  const { accounts, groups } = officeTexts.value;
  return [
    ...accountColumns(),
    {
      key: 'actions',
      label: accounts.actions,
      cell: (member) => (
        <button type="button" class="secondary outline" disabled={busy} onClick={() => onRemove(member)}>
          {groups.remove}
          <span class="visually-hidden"> {member.email}</span>
        </button>
      ),
    },
  ];
}

interface CandidatesProps {
  text: string;
  members: readonly Member[];
  busy: boolean;
  onAdd: (account: { uuid: string; email: string }) => void;
}

/** Staff whose address begins like this; patients join no group. */
function Candidates({ text, members, busy, onAdd }: CandidatesProps) {
  const { groups } = officeTexts.value;
  const { value, failure, again } = useRead(['candidates', text], (signal) => searchStaff(text, signal), {
    keepsPrevious: true,
  });
  if (failure !== undefined) return <StaffFailure failure={failure} onRetry={again} />;
  const present = new Set(members.map(({ uuid }) => uuid));
  const found = (value?.items ?? []).filter(({ uuid }) => !present.has(uuid));
  if (value?.hasMore === false && found.length === 0) return <p class="empty">{groups.noCandidates}</p>;
  return (
    <>
      <ul class="candidates">
        {found.map((account) => (
          <li key={account.uuid}>
            <bdi>{account.email}</bdi> <span class="muted">{staffTexts.value.roles[account.role]}</span>
            <button type="button" class="outline" disabled={busy} onClick={() => onAdd(account)}>
              {groups.addToGroup}
              <span class="visually-hidden"> {account.email}</span>
            </button>
          </li>
        ))}
      </ul>
      {value?.hasMore === true && <p class="small">{groups.moreCandidates}</p>}
    </>
  );
}
