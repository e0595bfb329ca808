import { staffTexts } from './i18n/texts.ts';

/** The button of a form, and that it has worked. */
export function SaveRow({ busy, isSaved, label }: { busy: boolean; isSaved: boolean; label?: string }) {
  const { save, saved } = staffTexts.value;
  return (
    <div class="save-row">
      <button type="submit" aria-busy={busy} disabled={busy}>
        {label ?? save}
      </button>
      <span role="status">{isSaved && saved}</span>
    </div>
  );
}
