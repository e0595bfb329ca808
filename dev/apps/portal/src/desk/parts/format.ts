import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { language } from '../../i18n/language.ts';

/** The time of this device, by the second while something counts down. */
export const now = signal(Date.now());

let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Keeps `now` going while the component is on the screen. */
export function useNow(): number {
  useEffect(() => {
    if (watchers++ === 0) {
      now.value = Date.now();
      timer = setInterval(() => (now.value = Date.now()), 1000);
    }
    return () => {
      if (--watchers === 0) clearInterval(timer);
    };
  }, []);
  return now.value;
}

const format = (options: Intl.DateTimeFormatOptions, moment: string | Date) =>
  new Intl.DateTimeFormat(language.value, options).format(new Date(moment));

export const clockTime = (moment: string | Date) => format({ timeStyle: 'short' }, moment);
export const shortDate = (moment: string | Date) => format({ dateStyle: 'medium' }, moment);
export const shortMoment = (moment: string | Date) =>
  format({ dateStyle: 'medium', timeStyle: 'short' }, moment);

const MINUTE = 60;
const steps: readonly [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
];

/** How far away a moment is, such as "in 3 hours"; in the largest unit that fits. */
export function fromNow(moment: string, at: number = Date.now()): string {
  const seconds = (Date.parse(moment) - at) / 1000;
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ['minute' as const, MINUTE];
  return new Intl.RelativeTimeFormat(language.value, { numeric: 'auto', style: 'short' }).format(
    Math.trunc(seconds / size),
    unit,
  );
}

/** Minutes and seconds, such as 4:05. */
export function countdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const [minutes, rest] = [Math.floor(whole / MINUTE), whole % MINUTE];
  if (minutes < MINUTE) return `${minutes}:${two(rest)}`;
  return `${Math.floor(minutes / MINUTE)}:${two(minutes % MINUTE)}:${two(rest)}`;
}
