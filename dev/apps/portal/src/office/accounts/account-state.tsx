import { officeTexts } from '../i18n/texts.ts';

interface AccountStateProps {
  account: { is_active: boolean; is_verified?: boolean };
}

/** Whether an account may log in, and whether its address is proved. */
export function AccountState({ account }: AccountStateProps) {
  const { accounts } = officeTexts.value;
  return (
    <span class="badges">
      <span class={account.is_active ? 'badge good' : 'badge bad'}>
        {account.is_active ? accounts.active : accounts.inactive}
      </span>
      {account.is_verified === false && <span class="badge warn">{accounts.unverified}</span>}
    </span>
  );
}
