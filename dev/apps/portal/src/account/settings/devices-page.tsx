import { useState } from 'preact/hooks';
import { endSession, listSessions, type Session } from '../../gateway/account-calls.ts';
import { dateAndTime } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { useRead } from '../../query/use-read.ts';
import { signOut, signOutEverywhere } from '../../session/session.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useFocusWhen } from '../../ui/use-focus-when.ts';
import { accountTexts } from '../i18n/texts.ts';
import { AccountPage } from './account-page.tsx';
import { deviceName } from './device-name.ts';

/** Where the account is signed in; each place can be signed out from here. */
export function DevicesPage() {
  const { devices } = accountTexts.value;
  const { value, failure, again } = useRead(['sessions'], listSessions);
  return (
    <AccountPage title={devices.title} lead={devices.lead}>
      {value === undefined && failure === undefined && <Loading />}
      {failure !== undefined && <FailureNotice failure={failure} onRetry={again} />}
      {value !== undefined && (
        <ul class="devices">
          {value.sessions.map((each) => (
            <Device key={each.id} device={each} onEnded={again} />
          ))}
        </ul>
      )}
      {value !== undefined && value.sessions.length > 1 && <EndAll />}
    </AccountPage>
  );
}

function Device({ device, onEnded }: { device: Session; onEnded: () => void }) {
  const { devices } = accountTexts.value;
  const {
    id,
    current,
    created_at: opened,
    last_used_at: used,
    user_agent: agent,
    ip_prefix: network,
  } = device;
  const { busy, failure, run } = useOnce();
  const name = deviceName(agent) ?? devices.unnamed;
  return (
    <li>
      <div>
        <p>
          <strong>
            <bdi>{name}</bdi>
          </strong>{' '}
          {current && <span class="tag">{devices.here}</span>}
        </p>
        <p class="small">{fill(devices.opened, { date: dateAndTime(new Date(opened)) })}</p>
        <p class="small">{fill(devices.used, { date: dateAndTime(new Date(used)) })}</p>
        {network !== null && (
          <p class="small">
            {devices.network} <bdi>{network}</bdi>
          </p>
        )}
        {failure !== undefined && failure.code !== 'not_found' && <FailureNotice failure={failure} />}
      </div>
      <button
        type="button"
        class="secondary outline"
        aria-busy={busy}
        onClick={() =>
          current
            ? void signOut()
            : void run(async () => {
                const ended = await endSession(id);
                // It has ended meanwhile, which is what was wanted.
                return !ended.ok && ended.failure.code === 'not_found'
                  ? ({ ok: true, value: undefined } as const)
                  : ended;
              }, onEnded)
        }
      >
        {texts.value.account.signOut} <span class="visually-hidden">{name}</span>
      </button>
    </li>
  );
}

function EndAll() {
  const { devices } = accountTexts.value;
  const [isAsking, setAsking] = useState(false);
  const safest = useFocusWhen<HTMLButtonElement>(isAsking);
  const { busy, failure, run } = useOnce();
  return (
    <section class="part">
      {failure !== undefined && <FailureNotice failure={failure} />}
      {isAsking ? (
        <div role="alertdialog" aria-labelledby="end-all">
          <p id="end-all">{devices.endAllSure}</p>
          <div class="actions">
            <button
              type="button"
              class="secondary outline"
              aria-busy={busy}
              onClick={() => void run(signOutEverywhere, () => {})}
            >
              {devices.endAll}
            </button>
            <button type="button" ref={safest} onClick={() => setAsking(false)}>
              {texts.value.common.cancel}
            </button>
          </div>
        </div>
      ) : (
        <button type="button" class="secondary outline" onClick={() => setAsking(true)}>
          {devices.endAll}
        </button>
      )}
    </section>
  );
}
