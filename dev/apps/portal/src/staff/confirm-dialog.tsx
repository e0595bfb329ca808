import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Failure } from '../gateway/failure.ts';
import { texts } from '../i18n/language.ts';
import { StaffFailure } from './staff-failure.tsx';

interface ConfirmDialogProps {
  title: string;
  children: ComponentChildren;
  /** Of the button that does it. */
  action: string;
  /** What cannot be taken back looks so. */
  dangerous?: boolean;
  busy: boolean;
  failure: Failure | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * Asks before something is done. Render it while it is open: the rest of the page is inert meanwhile, Escape closes it,
 * and the focus returns to the button that opened it.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, dangerous = false, busy, failure, onConfirm, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    onConfirm();
  };
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby={id} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id={id}>{title}</h2>
        {failure !== undefined && <StaffFailure failure={failure} />}
        {children}
        <div class="actions">
          <button type="button" class="secondary outline" onClick={() => dialog.current?.close()}>
            {texts.value.common.cancel}
          </button>
          <button type="submit" class={dangerous ? 'danger' : undefined} aria-busy={busy} disabled={busy}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  );
}
