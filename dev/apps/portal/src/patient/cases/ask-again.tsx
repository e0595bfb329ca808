import type { MobileCase } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { askAgain } from '../../gateway/case-calls.ts';
import { withoutControls } from '../../gateway/without-controls.ts';
import { texts } from '../../i18n/language.ts';
import { useStableKey } from '../../query/stable-key.ts';
import { useOnce } from '../../query/use-once.ts';
import { unsentOf } from '../../session/unsent.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { useReadOnConflict } from './own-cases.ts';

/** One question about an answer, which brings the case back to the doctors. */
export function AskAgain({ shown, onDone }: { shown: MobileCase; onDone: (changed: MobileCase) => void }) {
  const { cases, folder } = texts.value;
  const unsent = unsentOf(`question ${shown.uuid}`, '');
  const message = unsent.value;
  const [isBegun] = useState(message !== '');
  const { busy, failure, run, show } = useOnce();
  useReadOnConflict(shown.uuid, failure);
  const keyFor = useStableKey();
  const isMissing = failure?.code === 'validation_error';
  function send() {
    const text = withoutControls(message).trim();
    if (text === '') return show({ code: 'validation_error', fields: { '/message': 'required' } });
    const { uuid, version } = shown;
    void run(
      () => askAgain(uuid, text, version, keyFor([uuid, text])),
      (changed) => {
        if (unsent.peek() === message) unsent.value = '';
        onDone(changed);
      },
    );
  }
  return (
    <details class="part" open={isBegun}>
      <summary>{folder.askTitle}</summary>
      <p>{folder.askLead}</p>
      <form
        class="reply"
        noValidate
        aria-busy={busy}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label>
          {cases.message}
          <textarea
            name="question"
            dir="auto"
            rows={3}
            maxLength={2000}
            value={message}
            aria-invalid={isMissing ? 'true' : undefined}
            onInput={({ currentTarget }) => (unsent.value = currentTarget.value)}
          />
        </label>
        {isMissing && (
          <p class="field-error" role="alert">
            {folder.askMissing}
          </p>
        )}
        {failure !== undefined && !isMissing && <FailureNotice failure={failure} />}
        <button type="submit" aria-busy={busy}>
          {folder.askSend}
        </button>
      </form>
    </details>
  );
}
