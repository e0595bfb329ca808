import type { Invitation, Role } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { invite } from '../../gateway/office-calls.ts';
import { texts } from '../../i18n/language.ts';
import { useOnce } from '../../query/use-once.ts';
import { useEntries } from '../../session/use-entries.ts';
import { Field } from '../../staff/field.tsx';
import { FormProblems } from '../../staff/form-problems.tsx';
import { plainLine } from '../../staff/plain-line.ts';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { useProblems } from '../../staff/use-problems.ts';
import { officeTexts } from '../i18n/texts.ts';

const roles: readonly Role[] = ['physician', 'admin', 'patient'];

/** Invites an address with a role. */
export function InviteForm({ onSent }: { onSent: (invitation: Invitation) => void }) {
  const { accounts, invitations } = officeTexts.value;
  const [email, setEmail] = useEntries('invitation', () => '');
  const [role, setRole] = useState<Role>('physician');
  const { busy, failure, run } = useOnce();
  const { problems, at, check } = useProblems(failure, {
    '/email': { id: 'invite-email', label: accounts.email },
  });
  const submit = (event: Event) => {
    event.preventDefault();
    const text = `${accounts.email}: ${texts.value.fields.required}`;
    if (!check(email.trim() === '' ? [{ field: 'invite-email', text }] : [])) return;
    void run(
      () => invite(email, role),
      (invitation) => {
        // Another address that was entered meanwhile stays.
        setEmail((now) => (now === email ? '' : now));
        onSent(invitation);
      },
    );
  };
  return (
    <form class="one-line" noValidate onSubmit={submit}>
      <FormProblems failure={failure} problems={problems} />
      <Field id="invite-email" label={accounts.email} error={at('invite-email')}>
        {(attributes) => (
          <input
            {...attributes}
            type="email"
            dir="ltr"
            autocomplete="off"
            value={email}
            onInput={({ currentTarget }) => setEmail(plainLine(currentTarget.value))}
          />
        )}
      </Field>
      <Field id="invite-role" label={accounts.role}>
        {(attributes) => (
          <select
            {...attributes}
            value={role}
            onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
          >
            {roles.map((each) => (
              <option key={each} value={each}>
                {staffTexts.value.roles[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" aria-busy={busy} disabled={busy}>
        {invitations.send}
      </button>
    </form>
  );
}
