import { createGroup } from '../../gateway/office-calls.ts';
import { texts } from '../../i18n/language.ts';
import { useOnce } from '../../query/use-once.ts';
import { readAgain } from '../../query/use-read.ts';
import { onThisPage } from '../../session/on-this-page.ts';
import { go } from '../../session/route.ts';
import { useEntries } from '../../session/use-entries.ts';
import { FormProblems } from '../../staff/form-problems.tsx';
import { SaveRow } from '../../staff/save-row.tsx';
import { useProblems } from '../../staff/use-problems.ts';
import { keepFocus } from '../../ui/keep-focus.ts';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { emptyGroup, settingsOf } from './group-draft.ts';
import { GroupFields, groupFields } from './group-fields.tsx';

/** Creates a group, then leads to its page, where members join. */
export function NewGroupPage() {
  const { groups } = officeTexts.value;
  const [draft, setDraft] = useEntries('new group', () => emptyGroup);
  const { busy, failure, run } = useOnce();
  const { problems, at, check } = useProblems(failure, groupFields());
  const submit = (event: Event) => {
    event.preventDefault();
    const name = draft.name.trim();
    const text = `${groups.name}: ${texts.value.fields.required}`;
    if (!check(name === '' ? [{ field: 'group-name', text }] : [])) return;
    const open = onThisPage((uuid: string) => go(`/groups/${uuid}`));
    const creating = run(
      () => createGroup({ name, settings: settingsOf(draft) }),
      ({ uuid }) => {
        readAgain(['groups']);
        open(uuid);
      },
    );
    void keepFocus(creating);
  };
  return (
    <>
      <p class="trail">
        <Link to="/groups">{groups.title}</Link>
      </p>
      <div class="staff-head">
        <PageTitle about="new-group">{groups.add}</PageTitle>
      </div>
      <form class="panel" noValidate onSubmit={submit}>
        <FormProblems failure={failure} problems={problems} />
        {/* What is changed after it was sent would be lost. */}
        <div inert={busy}>
          <GroupFields draft={draft} change={(change) => setDraft({ ...draft, ...change })} at={at} />
        </div>
        <SaveRow busy={busy} isSaved={false} label={groups.add} />
      </form>
    </>
  );
}
