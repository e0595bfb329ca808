import type { CaseDetail } from 'dermagate-client';
import { useRef } from 'preact/hooks';
import { fill } from '../../i18n/texts.ts';
import { useWhileShown } from '../../ui/use-while-shown.ts';
import { countdown, fromNow, useNow } from './format.ts';
import { deskTexts } from '../i18n/texts.ts';

/** Seconds before the end from which it looks urgent; the gateway warns then too. */
const SOON = 120;
/** Seconds up to which it counts down by the second. */
const COUNTED = 6 * 3600;
/** Milliseconds between two readings that put the end of the lease off. */
const RENEW_EVERY = 120_000;

/** How long the case is still in hand. */
export function LeaseTimer({ until }: { until: string }) {
  const { home } = deskTexts.value;
  const left = (Date.parse(until) - useNow()) / 1000;
  if (left > COUNTED) {
    return (
      <span class="tag">
        {home.lease} {fromNow(until)}
      </span>
    );
  }
  return (
    <span class={left < SOON ? 'tag warn' : 'tag'} role="timer" title={home.lease}>
      {left <= 0 ? home.leaseOver : fill(home.leaseLeft, { time: countdown(left) })}
    </span>
  );
}

/** Reads the case again from time to time while its physician works on it: each reading extends the lease. */
export function useRenewal(
  { lease_expires_at: until }: Pick<CaseDetail, 'lease_expires_at'>,
  again: () => void,
) {
  const latest = useRef(again);
  latest.current = again;
  const isLeased = until !== null;
  useWhileShown(() => {
    if (!isLeased) return undefined;
    let worked = false;
    const work = () => (worked = true);
    const events = ['keydown', 'pointerdown', 'wheel'] as const;
    events.forEach((event) => addEventListener(event, work, { passive: true }));
    const timer = setInterval(() => {
      if (worked) latest.current();
      worked = false;
    }, RENEW_EVERY);
    return () => {
      clearInterval(timer);
      events.forEach((event) => removeEventListener(event, work));
    };
  }, [isLeased]);
}
