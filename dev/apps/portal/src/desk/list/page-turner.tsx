import { deskTexts } from '../i18n/texts.ts';

interface PageTurnerProps {
  /** Of the pages after the first one, up to the page that is shown. */
  cursors: readonly string[];
  /** Of the page behind it, where there is one. */
  next: string | null | undefined;
  onTurn: (cursors: readonly string[]) => void;
}

/** To the page before and the page behind the one of a list that is shown. */
export function PageTurner({ cursors, next, onTurn }: PageTurnerProps) {
  const { list: words } = deskTexts.value;
  const button = (label: string, turned: readonly string[]) => (
    <button type="button" class="secondary outline small-button" onClick={() => onTurn(turned)}>
      {label}
    </button>
  );
  return (
    <div class="pages">
      {cursors.length > 0 && button(words.before, cursors.slice(0, -1))}
      {next != null && button(words.after, [...cursors, next])}
    </div>
  );
}
