import type { Group, GroupDetail } from 'dermagate-client';
import { useRef, useState } from 'preact/hooks';
import type { Outcome } from '../../gateway/attempt.ts';
import { changeGroup, deleteGroup, readGroup } from '../../gateway/office-calls.ts';
import { texts } from '../../i18n/language.ts';
import { number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { readAgain, useRead } from '../../query/use-read.ts';
import { onThisPage } from '../../session/on-this-page.ts';
import { go, listCursor } from '../../session/route.ts';
import { ConfirmDialog } from '../../staff/confirm-dialog.tsx';
import { StaffFailure } from '../../staff/staff-failure.tsx';
import { useProblems } from '../../staff/use-problems.ts';
import { useVersioned } from '../../staff/use-versioned.ts';
import { VersionedForm } from '../../staff/versioned-form.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { changeOfGroup, draftOfGroup } from './group-draft.ts';
import { GroupFields, groupFields } from './group-fields.tsx';
import { GroupMembers } from './group-members.tsx';

/** One group: rename it, change what it adds, its members, delete it. */
export function GroupPage({ uuid }: { uuid: string }) {
  const { groups } = officeTexts.value;
  const cursor = listCursor.value;
  const read = useRead(['group', uuid, cursor], (signal) => readGroup(uuid, cursor, signal), {
    survivesLanguage: true,
  });
  const { failure, again } = read;
  // Entries about the group survive another page of its members, even one that cannot be read.
  const last = useRef<GroupDetail>(undefined);
  if (read.value !== undefined) last.current = read.value;
  const group = last.current;
  const changed = () => {
    readAgain(['group', uuid]);
    readAgain(['groups']);
  };
  return (
    <>
      <p class="trail">
        <Link to="/groups">{groups.title}</Link>
      </p>
      <div class="staff-head">
        <PageTitle about={uuid}>
          <bdi>{group?.name ?? groups.group}</bdi>
        </PageTitle>
        {group !== undefined && <DeleteGroup group={group} />}
      </div>
      {failure !== undefined && <StaffFailure failure={failure} onRetry={again} />}
      {group === undefined && failure === undefined && <Loading />}
      {group !== undefined && (
        <div class="halves">
          <section class="panel" aria-labelledby="settings">
            <h2 id="settings">{groups.settings}</h2>
            <GroupForm key={uuid} group={group} onSaved={changed} />
          </section>
          <section class="panel" aria-labelledby="members">
            <h2 id="members">{groups.members}</h2>
            <GroupMembers group={group} read={read} onChanged={changed} />
          </section>
        </div>
      )}
    </>
  );
}

function GroupForm({ group, onSaved }: { group: GroupDetail; onSaved: () => void }) {
  const { groups } = officeTexts.value;
  const { uuid } = group;
  const form = useVersioned({
    about: `group ${uuid}`,
    entity: group as Group,
    toDraft: draftOfGroup,
    read: (): Promise<Outcome<Group>> => readGroup(uuid, undefined),
    write: (entries, current, base) => changeGroup(uuid, changeOfGroup(entries, base, current)),
    onSaved,
  });
  const { draft, change } = form;
  const { problems, at, check } = useProblems(form.failure, groupFields());
  const checkName = () => {
    const text = `${groups.name}: ${texts.value.fields.required}`;
    return check(draft.name.trim() === '' ? [{ field: 'group-name', text }] : []);
  };
  return (
    <VersionedForm form={form} problems={problems} check={checkName}>
      <GroupFields draft={draft} change={change} at={at} />
    </VersionedForm>
  );
}

function DeleteGroup({ group }: { group: GroupDetail }) {
  const { groups } = officeTexts.value;
  const [isAsked, setAsked] = useState(false);
  const { busy, failure, run, show } = useOnce();
  const open = () => {
    show(undefined);
    setAsked(true);
  };
  const remove = () => {
    const leave = onThisPage(() => go('/groups'));
    return run(
      () => deleteGroup(group.uuid),
      () => {
        readAgain(['groups']);
        leave();
      },
    );
  };
  return (
    <>
      <button type="button" class="secondary outline" onClick={open}>
        {groups.delete}
      </button>
      {isAsked && (
        <ConfirmDialog
          title={groups.deleteTitle}
          action={groups.delete}
          dangerous
          busy={busy}
          failure={failure}
          onConfirm={() => void remove()}
          onClose={() => setAsked(false)}
        >
          <p>{fill(groups.deleteMeans, { name: group.name, members: number(group.member_count) })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
