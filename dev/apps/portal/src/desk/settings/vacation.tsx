import type { PhysicianDetails } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { changeMyActivity } from '../../gateway/desk-calls.ts';
import { number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { readAgain } from '../../query/use-read.ts';
import { dayAfter } from '../../staff/day-after.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { shortMoment } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';

interface VacationProps {
  profile: PhysicianDetails;
  onChanged: () => void;
}

export function Vacation({ profile, onChanged }: VacationProps) {
  const { mySettings: words } = deskTexts.value;
  const [until, setUntil] = useState('');
  const [handsBack, setHandsBack] = useState(true);
  const [result, setResult] = useState<{ handed_back: number }>();
  const work = useOnce();
  const change = (isAway: boolean) => {
    const end = until === '' ? null : new Date(`${until}T23:59`).toISOString();
    const body = isAway
      ? { vacation_mode: true, until: end, hand_back: handsBack }
      : { vacation_mode: false };
    void work.run(
      () => changeMyActivity(body),
      (activity) => {
        setResult(activity);
        readAgain(['desk']);
        onChanged();
      },
    );
  };
  return (
    <section class="panel" aria-labelledby="vacation">
      <h2 id="vacation">{words.vacation}</h2>
      <div role="status">
        {profile.vacation_mode && <p>{words.awayNow}</p>}
        {profile.vacation_mode && profile.vacation_until != null && (
          <p>{fill(words.awayUntil, { date: shortMoment(profile.vacation_until) })}</p>
        )}
        {result !== undefined && result.handed_back > 0 && (
          <p>{fill(words.handedBack, { count: number(result.handed_back) })}</p>
        )}
      </div>
      {work.failure !== undefined && <DeskFailure failure={work.failure} />}
      {profile.vacation_mode ? (
        <button type="button" class="small-button" aria-busy={work.busy} onClick={() => change(false)}>
          {words.return}
        </button>
      ) : (
        <form
          class="row-form"
          onSubmit={(event) => {
            event.preventDefault();
            change(true);
          }}
        >
          <label>
            {words.until}
            <input
              type="date"
              min={dayAfter(0)}
              max="9999-12-31"
              value={until}
              onInput={({ currentTarget }) => setUntil(currentTarget.value)}
            />
          </label>
          <label class="inline">
            <input type="checkbox" checked={handsBack} onChange={() => setHandsBack(!handsBack)} />
            {words.handBack}
          </label>
          <button type="submit" class="secondary outline small-button" aria-busy={work.busy}>
            {words.leave}
          </button>
        </form>
      )}
    </section>
  );
}
