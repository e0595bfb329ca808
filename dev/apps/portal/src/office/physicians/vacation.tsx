import type { PhysicianDetails } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { changeActivity } from '../../gateway/office-calls.ts';
import { dateAndTime, number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { ConfirmDialog } from '../../staff/confirm-dialog.tsx';
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
  const { uuid, vacation_mode: isAway } = physician;
  const [until, setUntil] = useState('');
  const [handBack, setHandBack] = useState(true);
  const [message, setMessage] = useState<string>();
  const { busy, failure, run, show } = useOnce();
  const { target, ...dialog } = useTargetState({
    state: isAway,
    busy,
    onReached: (away) => setMessage(away ? physicians.isAway : physicians.isBack),
  });
  const open = () => {
    show(undefined);
    dialog.open();
  };
  const change = (begins: boolean) =>
    run(
      () =>
        changeActivity({
          physician_uuid: uuid,
          vacation_mode: begins,
          hand_back: handBack,
          // The end of that day where the admin is.
          ...(begins && until !== '' && { until: new Date(`${until}T23:59:59`).toISOString() }),
        }),
      (now) => {
        dialog.close();
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
      {target !== undefined && (
        <ConfirmDialog
          title={target ? physicians.beginVacation : physicians.endVacation}
          action={target ? physicians.beginVacation : physicians.endVacation}
          busy={busy}
          failure={failure}
          onConfirm={() => void change(target)}
          onClose={dialog.close}
        >
          {target ? (
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
          ) : (
            <p>{physicians.endMeans}</p>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
