import { language } from '../i18n/language.ts';
import { staffTexts } from './i18n/texts.ts';

/** A moment in a list, in the time zone of the reader; null is never. */
export function Moment({ at }: { at: string | null }) {
  if (at === null) return <span class="muted">{staffTexts.value.never}</span>;
  const moment = new Date(at);
  const format = new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'short' });
  return <time dateTime={at}>{format.format(moment)}</time>;
}
