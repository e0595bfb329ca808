import type { PhysicianDetails } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { changeActivity } from '../../gateway/office-calls.ts';
import { dateAndTime, number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { ConfirmDialog } from '../../staff/confirm-dialog.tsx';
import { dayAfter } from '../../staff/day-after.ts';
import { CheckField, Field } from '../../staff/field.tsx';
import { useTargetState } from '../../staff/use-target-state.ts';
import { officeTexts } from '../i18n/texts.ts';

interface VacationProps {
  physician: PhysicianDetails;
  onChanged: () => void;
}

/** Begins and ends the vacation of a physician. */
export function Vacation({ physician, onChanged }: VacationProps) {
  const { physicians } = officeTexts.value;
  const { uuid, vacation_mode: isAway, vacation_until: ends } = physician;
  const untilText = (end: string) => fill(physicians.isAwayUntil, { date: dateAndTime(new Date(end)) });
  const [until, setUntil] = useState('');
  const [untilError, setUntilError] = useState<string>();
  const [handBack, setHandBack] = useState(true);
  const [message, setMessage] = useState<string>();
  const { busy, failure, run, show } = useOnce();
  const { target, ...dialog } = useTargetState({
    state: isAway,
    busy,
    onReached: (away) => setMessage(away ? physicians.isAway : physicians.isBack),
  });
  const enterUntil = (day: string) => {
    setUntilError(undefined);
    setUntil(day);
  };
  const open = () => {
    show(undefined);
    setUntilError(undefined);
    dialog.open();
  };
  const change = (begins: boolean) => {
    // The end of that day where the admin is.
    const end = begins && until !== '' ? new Date(`${until}T23:59:59`) : undefined;
    if (Number.isNaN(end?.getTime())) return setUntilError(texts.value.fields.invalid_date);
    void run(
      () =>
        changeActivity({
          physician_uuid: uuid,
          vacation_mode: begins,
          hand_back: handBack,
          ...(end !== undefined && { until: end.toISOString() }),
        }),
      (now) => {
        dialog.close();
        const awayText = now.until === null ? physicians.isAway : untilText(now.until);
        const returned = fill(physicians.handedBack, { cases: number(now.handed_back) });
        setMessage(now.vacation_mode ? `${awayText} ${returned}` : physicians.isBack);
        onChanged();
      },
    );
  };
  return (
    <>
      <div role="status">{message !== undefined && <p class="notice success">{message}</p>}</div>
      <p>{isAway ? physicians.awayMeans : physicians.hereMeans}</p>
      {isAway && ends != null && <p>{untilText(ends)}</p>}
      <button type="button" class="outline" onClick={open}>
        {isAway ? physicians.endVacation : physicians.beginVacation}
      </button>
      {target !== undefined && (
        <ConfirmDialog
          title={target ? physicians.beginVacation : physicians.endVacation}
          action={target ? physicians.beginVacation : physicians.endVacation}
          busy={busy}
          failure={failure}
          onConfirm={() => change(target)}
          onClose={dialog.close}
        >
          {target ? (
            <>
              <Field id="until" label={physicians.until} hint={physicians.untilHint} error={untilError}>
                {(attributes) => (
                  <input
                    {...attributes}
                    type="date"
                    min={dayAfter(0)}
                    max="9999-12-31"
                    value={until}
                    onInput={({ currentTarget }) => enterUntil(currentTarget.value)}
                  />
                )}
              </Field>
              <CheckField label={physicians.handBack} checked={handBack} onChange={setHandBack} />
            </>
          ) : (
            <p>{physicians.endMeans}</p>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
