import type { Channel } from 'dermagate-client';
import { useRef, useState } from 'preact/hooks';
import { chooseChannels, readNotifications, readPushKey } from '../../gateway/account-calls.ts';
import { useOnce } from '../../query/use-once.ts';
import { setRead, useRead } from '../../query/use-read.ts';
import { session } from '../../session/session.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { accountTexts } from '../i18n/texts.ts';
import { type PushState, pushState, switchPushOff, switchPushOn } from '../push/browser-push.ts';
import { AccountPage } from './account-page.tsx';
import { SavedNotice } from './saved-notice.tsx';

const KEY = ['notifications'];

/** The channels for news of the account’s cases, and whether this browser is one of them. */
export function NotificationsPage() {
  const { notifications } = accountTexts.value;
  const { value, failure, again } = useRead(KEY, readNotifications, { survivesLanguage: true });
  const pushKey = useRead(['push-key'], readPushKey);
  return (
    <AccountPage title={notifications.title} lead={notifications.lead}>
      {value === undefined && failure === undefined && <Loading />}
      {failure !== undefined && <FailureNotice failure={failure} onRetry={again} />}
      {value !== undefined && <Channels {...value} />}
      {pushKey.value !== undefined && value?.available.includes('push') === true && (
        <ThisBrowser pushKey={pushKey.value.public_key} />
      )}
    </AccountPage>
  );
}

interface ChannelsProps {
  channels: readonly Channel[];
  available: readonly Channel[];
}

function Channels({ channels, available }: ChannelsProps) {
  const t = accountTexts.value;
  const [chosen, setChosen] = useState(channels);
  const [isSaved, setSaved] = useState(false);
  const latest = useRef(chosen);
  latest.current = chosen;
  const { busy, failure, run } = useOnce();
  if (available.length === 0) return <p>{t.notifications.none}</p>;
  const choose = (channel: Channel, yes: boolean) => {
    setSaved(false);
    setChosen(yes ? [...chosen, channel] : chosen.filter((each) => each !== channel));
  };
  return (
    <form
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        void run(
          () => chooseChannels(chosen),
          (settings) => {
            setRead(KEY, settings);
            setSaved(latest.current === chosen);
          },
        );
      }}
    >
      <fieldset>
        <legend class="visually-hidden">{t.notifications.title}</legend>
        {available.map((channel) => (
          <label key={channel} class="inline">
            <input
              type="checkbox"
              name={channel}
              checked={chosen.includes(channel)}
              onChange={({ currentTarget }) => choose(channel, currentTarget.checked)}
            />
            {t.notifications.channels[channel]}
          </label>
        ))}
      </fieldset>
      <p class="small">{t.notifications.always}</p>
      {failure !== undefined && <FailureNotice failure={failure} />}
      {isSaved && <SavedNotice>{t.saved}</SavedNotice>}
      <button type="submit" aria-busy={busy}>
        {t.save}
      </button>
    </form>
  );
}

function ThisBrowser({ pushKey }: { pushKey: string | null }) {
  const { notifications } = accountTexts.value;
  const now = session.value;
  const userUuid = now.state === 'signed-in' ? now.user.uuid : '';
  const [state, setState] = useState<PushState>(() => pushState(userUuid, pushKey));
  const { busy, failure, run } = useOnce();
  const change = () =>
    void run<unknown>(
      () => (state === 'on' ? switchPushOff() : switchPushOn(userUuid, pushKey ?? '')),
      () => setState(pushState(userUuid, pushKey)),
    );
  return (
    <section class="part" aria-labelledby="this-browser">
      <h2 id="this-browser">{notifications.browserTitle}</h2>
      <p role="status">{notifications.browser[state]}</p>
      {failure !== undefined && <FailureNotice failure={failure} />}
      {(state === 'on' || state === 'off') && (
        <button type="button" class="secondary outline" aria-busy={busy} onClick={change}>
          {state === 'on' ? notifications.switchOff : notifications.switchOn}
        </button>
      )}
    </section>
  );
}
