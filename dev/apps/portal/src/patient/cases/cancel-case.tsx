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
  const [stage, setStage] = useState<'closed' | 'asking' | 'kept'>('closed');
  const safest = useFocusWhen<HTMLButtonElement>(stage === 'asking');
  const opener = useFocusWhen<HTMLButtonElement>(stage === 'kept');
  const { busy, failure, run } = useOnce();
  useReadOnConflict(shown.uuid, failure);
  const keyFor = useStableKey();
  const cancel = () => {
    const { uuid, version } = shown;
    void run(() => cancelCase(uuid, version, keyFor([uuid, version])), onDone);
  };
  // A cancellation that is under way can no longer be kept from happening.
  const keep = () => !busy && setStage('kept');
  return (
    <section class="part cancel">
      {failure !== undefined && <FailureNotice failure={failure} />}
      {stage === 'asking' ? (
        <div
          role="alertdialog"
          aria-labelledby="cancel-sure"
          onKeyDown={({ key }) => void (key === 'Escape' && keep())}
        >
          <p id="cancel-sure">{cases.cancelSure}</p>
          <div class="actions">
            <button type="button" class="secondary outline" aria-busy={busy} onClick={cancel}>
              {cases.cancelYes}
            </button>
            <button type="button" ref={safest} onClick={keep}>
              {cases.cancelNo}
            </button>
          </div>
        </div>
      ) : (
        <button type="button" class="secondary outline" ref={opener} onClick={() => setStage('asking')}>
          {cases.cancelCase}
        </button>
      )}
    </section>
  );
}
