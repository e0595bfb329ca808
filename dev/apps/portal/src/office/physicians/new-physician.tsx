import type { Language } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { createPhysician, listAllGroups } from '../../gateway/office-calls.ts';
import { language as currentLanguage, texts } from '../../i18n/language.ts';
import { useOnce } from '../../query/use-once.ts';
import { useRead } from '../../query/use-read.ts';
import { useStableKey } from '../../query/stable-key.ts';
import { useEntries } from '../../session/use-entries.ts';
import { EntryField } from '../../staff/entry-field.tsx';
import { CheckField } from '../../staff/field.tsx';
import { FormProblems } from '../../staff/form-problems.tsx';
import { LanguageSelect } from '../../staff/language-select.tsx';
import { SaveRow } from '../../staff/save-row.tsx';
import { useProblems } from '../../staff/use-problems.ts';
import { keepFocus } from '../../ui/keep-focus.ts';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SentInvitation } from '../invitations/sent-invitation.tsx';
import { officeTexts } from '../i18n/texts.ts';

interface Created {
  uuid: string;
  invited: { email: string; invitation_token?: string | undefined } | undefined;
}

interface Entries {
  email: string;
  name: string;
  employeeId: string;
  pool: string;
  language: Language;
  groups: readonly string[];
  isInvited: boolean;
}

const newPhysician = (): Entries => ({
  email: '',
  name: '',
  employeeId: '',
  pool: '',
  language: currentLanguage.value,
  groups: [],
  isInvited: true,
});

/** Prepares the account and the profile of a physician, who joins by the invitation. */
export function NewPhysicianPage() {
  const { accounts, physicians } = officeTexts.value;
  const [entries, setEntries] = useEntries('new physician', newPhysician);
  const { language, groups, isInvited } = entries;
  const change = (patch: Partial<Entries>) => setEntries((before) => ({ ...before, ...patch }));
  const [created, setCreated] = useState<Created>();
  const allGroups = useRead(['groups', 'all'], listAllGroups);
  const { busy, failure, run } = useOnce();
  const keyOf = useStableKey();
  const { problems, at, check } = useProblems(failure, {
    '/email': { id: 'email', label: accounts.email },
    '/display_name': { id: 'name', label: physicians.name },
    '/employee_id': { id: 'employee-id', label: physicians.employeeId },
    '/private_pool': { id: 'pool', label: physicians.privatePool },
  });

  const submit = (event: Event) => {
    event.preventDefault();
    const { fields, intake } = texts.value;
    const employeeId = entries.employeeId.trim();
    const email = entries.email.trim();
    const found = [
      email === '' && { field: 'email', text: `${accounts.email}: ${fields.required}` },
      entries.name.trim() === '' && { field: 'name', text: `${physicians.name}: ${fields.required}` },
      !/^\d*$/.test(employeeId) && {
        field: 'employee-id',
        text: `${physicians.employeeId}: ${intake.enterWhole}`,
      },
    ].filter((problem) => problem !== false);
    if (!check(found)) return;
    const body = {
      email,
      display_name: entries.name.trim(),
      language_preference: language,
      ...(employeeId !== '' && { employee_id: Number(employeeId) }),
      ...(entries.pool.trim() !== '' && { private_pool: entries.pool.trim() }),
      group_uuids: [...groups],
      invite: isInvited,
    };
    const creating = run(
      () => createPhysician(body, keyOf(body)),
      ({ physician, invitation }) =>
        setCreated({
          uuid: physician.uuid,
          invited: invitation === null ? undefined : { ...invitation, email },
        }),
    );
    void keepFocus(creating);
  };

  const text = (
    id: 'email' | 'name' | 'pool' | 'employee-id',
    name: 'email' | 'name' | 'employeeId' | 'pool',
    label: string,
    hint?: string,
  ) => (
    <EntryField
      id={id}
      label={label}
      hint={hint}
      error={at(id)}
      isCode={name !== 'name'}
      inputMode={name === 'employeeId' ? 'numeric' : name === 'email' ? 'email' : 'text'}
      value={entries[name]}
      onChange={(value) => change({ [name]: value })}
    />
  );

  return (
    <>
      <p class="trail">
        <Link to="/physicians">{physicians.title}</Link>
      </p>
      <div class="staff-head">
        <PageTitle about={created?.uuid ?? 'new'}>
          {created === undefined ? physicians.add : physicians.added}
        </PageTitle>
      </div>
      {created !== undefined && (
        <section class="panel">
          {created.invited === undefined ? (
            <p>{physicians.notInvited}</p>
          ) : (
            <SentInvitation invitation={created.invited} />
          )}
          <Link to={`/physicians/${created.uuid}`}>{physicians.toProfile}</Link>
        </section>
      )}
      {created === undefined && (
        <form class="panel" noValidate onSubmit={submit}>
          <FormProblems failure={failure} problems={problems} />
          {/* What is changed after it was sent would be lost. */}
          <div inert={busy}>
            {text('email', 'email', accounts.email)}
            {text('name', 'name', physicians.name, physicians.nameHint)}
            <LanguageSelect
              label={physicians.ownLanguage}
              hint={physicians.ownLanguageHint}
              value={language}
              onChange={(chosen) => change({ language: chosen })}
            />
            {text('employee-id', 'employeeId', physicians.employeeId, physicians.optional)}
            {text('pool', 'pool', physicians.privatePool, physicians.poolHint)}
            {(allGroups.value?.items ?? []).length > 0 && (
              <fieldset>
                <legend>{accounts.groups}</legend>
                {allGroups.value?.items.map(({ uuid, name }) => (
                  <CheckField
                    key={uuid}
                    label={<bdi>{name}</bdi>}
                    checked={groups.includes(uuid)}
                    onChange={(isIn) =>
                      change({ groups: isIn ? [...groups, uuid] : groups.filter((each) => each !== uuid) })
                    }
                  />
                ))}
              </fieldset>
            )}
            <CheckField
              label={physicians.inviteNow}
              checked={isInvited}
              onChange={(invited) => change({ isInvited: invited })}
            />
          </div>
          <SaveRow busy={busy} isSaved={false} label={physicians.add} />
        </form>
      )}
    </>
  );
}
