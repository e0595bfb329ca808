import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { deskTexts } from '../i18n/texts.ts';

interface ModalProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  class?: string;
}

/** A native dialog: Escape closes it, and the focus returns to where it was. */
export function Modal({ title, onClose, children, class: className }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Only a dialog that is still in the page returns the focus: the cleanup of an ordinary effect runs after its removal.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={className}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <article>
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" class="close" aria-label={deskTexts.value.close} onClick={onClose}>
            ×
          </button>
        </header>
        {children}
      </article>
    </dialog>
  );
}
