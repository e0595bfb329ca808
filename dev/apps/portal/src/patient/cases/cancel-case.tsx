import type { MobileCase } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { cancelCase } from '../../gateway/case-calls.ts';
import { texts } from '../../i18n/language.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { useFocusWhen } from '../../ui/use-focus-when.ts';
import { useReadOnConflict } from './own-cases.ts';
import { useStableKey } from '../../query/stable-key.ts';
import { useOnce } from '../../query/use-once.ts';

/** Cancels a case, after asking once more. */
export function CancelCase({ shown, onDone }: { shown: MobileCase; onDone: (changed: MobileCase) => void }) {
  const { cases } = texts.value;
  const [isAsking, setAsking] = useState(false);
  const safest = useFocusWhen<HTMLButtonElement>(isAsking);
  const { busy, failure, run } = useOnce();
  useReadOnConflict(shown.uuid, failure);
  const keyFor = useStableKey();
  const cancel = () => {
    const { uuid, version } = shown;
    void run(() => cancelCase(uuid, version, keyFor([uuid, version])), onDone);
  };
  return (
    <section class="part cancel">
      {failure !== undefined && <FailureNotice failure={failure} />}
      {isAsking ? (
        <div role="alertdialog" aria-labelledby="cancel-sure">
          <p id="cancel-sure">{cases.cancelSure}</p>
          <div class="actions">
            <button type="button" class="secondary outline" aria-busy={busy} onClick={cancel}>
              {cases.cancelYes}
            </button>
            <button type="button" ref={safest} onClick={() => setAsking(false)}>
              {cases.cancelNo}
            </button>
          </div>
        </div>
      ) : (
        <button type="button" class="secondary outline" onClick={() => setAsking(true)}>
          {cases.cancelCase}
        </button>
      )}
    </section>
  );
}
