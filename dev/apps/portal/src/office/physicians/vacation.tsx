import type { PhysicianDetails } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { changeActivity } from '../../gateway/office-calls.ts';
import { dateAndTime, number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { ConfirmDialog } from '../../staff/confirm-dialog.tsx';
import { CheckField, Field } from '../../staff/field.tsx';
import { officeTexts } from '../i18n/texts.ts';

interface VacationProps {
  physician: PhysicianDetails;
  onChanged: () => void;
}

/** Begins and ends the vacation of a physician. */
export function Vacation({ physician, onChanged }: VacationProps) {
  const { physicians } = officeTexts.value;
  const { uuid, vacation_mode: isAway } = physician;
  const [isAsked, setAsked] = useState(false);
  const [until, setUntil] = useState('');
  const [handBack, setHandBack] = useState(true);
  const [message, setMessage] = useState<string>();
  const { busy, failure, run, show } = useOnce();
  const open = () => {
    show(undefined);
    setAsked(true);
  };
  const change = () =>
    run(
      () =>
        changeActivity({
          physician_uuid: uuid,
          vacation_mode: !isAway,
          hand_back: handBack,
          // The end of that day where the admin is.
          ...(!isAway && until !== '' && { until: new Date(`${until}T23:59:59`).toISOString() }),
        }),
      (now) => {
        setAsked(false);
        const end = now.until === null ? undefined : dateAndTime(new Date(now.until));
        const awayText = end === undefined ? physicians.isAway : fill(physicians.isAwayUntil, { date: end });
        const returned = fill(physicians.handedBack, { cases: number(now.handed_back) });
        setMessage(now.vacation_mode ? `${awayText} ${returned}` : physicians.isBack);
        onChanged();
      },
    );
  return (
    <>
      <div role="status">{message !== undefined && <p class="notice success">{message}</p>}</div>
      <p>{isAway ? physicians.awayMeans : physicians.hereMeans}</p>
      <button type="button" class="outline" onClick={open}>
        {isAway ? physicians.endVacation : physicians.beginVacation}
      </button>
      {isAsked && (
        <ConfirmDialog
          title={isAway ? physicians.endVacation : physicians.beginVacation}
          action={isAway ? physicians.endVacation : physicians.beginVacation}
          busy={busy}
          failure={failure}
          onConfirm={() => void change()}
          onClose={() => setAsked(false)}
        >
          {isAway ? (
            <p>{physicians.endMeans}</p>
          ) : (
            <>
              <Field id="until" label={physicians.until} hint={physicians.untilHint}>
                {(attributes) => (
                  <input
                    {...attributes}
                    type="date"
                    value={until}
                    onInput={({ currentTarget }) => setUntil(currentTarget.value)}
                  />
                )}
              </Field>
              <CheckField label={physicians.handBack} checked={handBack} onChange={setHandBack} />
            </>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
