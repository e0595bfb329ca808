import { language } from './language.ts';

export const percent = (share: number, digits = 0): string =>
  new Intl.NumberFormat(language.value, { style: 'percent', maximumFractionDigits: digits }).format(share);

export const number = (value: number): string => new Intl.NumberFormat(language.value).format(value);

/** In minutes from two minutes on: "347 seconds" is hard to grasp. */
export function duration(seconds: number): string {
  const [value, unit] = seconds < 120 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language.value, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

export const dateAndTime = (moment: Date): string =>
  new Intl.DateTimeFormat(language.value, { dateStyle: 'long', timeStyle: 'short' }).format(moment);

/** @param day `YYYY-MM-DD`, the same day wherever it is read. */
export const dayOnly = (day: string): string =>
  new Intl.DateTimeFormat(language.value, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

/** In the reader's time zone. */
export const day = (moment: Date): string =>
  new Intl.DateTimeFormat(language.value, { dateStyle: 'medium' }).format(moment);
