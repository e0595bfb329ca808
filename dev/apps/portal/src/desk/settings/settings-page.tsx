import type { PhysicianDetails } from 'dermagate-client';
import { Loading } from '../../ui/loading.tsx';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { setRead } from '../../query/use-read.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { myProfileKey, useMyProfile } from '../parts/my-profile.ts';
import { ProfileForm } from './profile-form.tsx';
import { Templates } from './templates.tsx';
import { Vacation } from './vacation.tsx';

/** What physicians decide for themselves. */
export function SettingsPage() {
  const { settings: title, account, mySettings: words } = deskTexts.value;
  const { value, failure, again } = useMyProfile();
  const onSaved = (after: PhysicianDetails) => setRead(myProfileKey, after);
  return (
    <div class="settings-page">
      <PageTitle about="settings">{title}</PageTitle>
      {failure !== undefined && <DeskFailure failure={failure} onRetry={again} />}
      {value === undefined && failure === undefined && <Loading />}
      {value === null && <p>{words.noProfile}</p>}
      {value != null && (
        <>
          <Vacation profile={value} onChanged={again} />
          <ProfileForm profile={value} onSaved={onSaved} />
        </>
      )}
      <Templates />
      <p class="small">
        {words.password} <Link to="/account">{account}</Link>
      </p>
    </div>
  );
}
