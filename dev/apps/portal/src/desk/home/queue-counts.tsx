import { useState } from 'preact/hooks';
import type { Outcome } from '../../gateway/attempt.ts';
import { followCounts, searchCases } from '../../gateway/desk-calls.ts';
import { number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { readAgain, useRead } from '../../query/use-read.ts';
import { Link } from '../../ui/link.tsx';
import { useWhileShown } from '../../ui/use-while-shown.ts';
import { clockTime } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';
import { useMyProfile } from '../parts/my-profile.ts';

/** Milliseconds, where no live counts tell of changes. */
const EVERY = 30_000;

interface Counts {
  at: Date;
  waiting: number;
  emergency: number;
  urgent: number;
  overdue: number;
}

const kinds = {
  waiting: { filter: {}, query: '' },
  emergency: { filter: { triage_level: ['emergency' as const] }, query: '&triage=emergency' },
  urgent: { filter: { triage_level: ['urgent_24h' as const] }, query: '&triage=urgent_24h' },
  overdue: { filter: { overdue: true }, query: '&overdue=1' },
};
const names = Object.keys(kinds) as (keyof typeof kinds)[];

/** What waits in the lanes of the physician; each number leads to its list. */
export function QueueCounts() {
  const { home: words } = deskTexts.value;
  const isLive = useLive();
  const { value } = useRead(['desk', 'counts'], readCounts, { every: EVERY });
  return (
    <section class="counts" aria-labelledby="counts">
      <h2 id="counts">
        {words.queue} {isLive && <span class="tag good">{words.live}</span>}
      </h2>
      <dl>
        {names.map((name) => (
          <div key={name} class={name}>
            <dt>{words[name]}</dt>
            <dd>
              <Link to={`/search?scope=queue${kinds[name].query}`}>
                {value === undefined ? '…' : number(value[name])}
                <span class="visually-hidden"> {words[name]}</span>
              </Link>
            </dd>
          </div>
        ))}
      </dl>
      {value !== undefined && !isLive && (
        <p class="small">{fill(words.asOf, { time: clockTime(value.at) })}</p>
      )}
    </section>
  );
}

async function readCounts(signal: AbortSignal): Promise<Outcome<Counts>> {
  const pages = await Promise.all(
    names.map((name) =>
      searchCases({ scope: 'queue', limit: 1, count: 'capped', ...kinds[name].filter }, signal),
    ),
  );
  const counts: Counts = { at: new Date(), waiting: 0, emergency: 0, urgent: 0, overdue: 0 };
  for (const [index, page] of pages.entries()) {
    if (!page.ok) return page;
    const name = names[index];
    if (name !== undefined) counts[name] = page.value.count?.value ?? 0;
  }
  return { ok: true, value: counts };
}

/** Reads the counts again when the clinic's change, for those who may follow them. */
function useLive(): boolean {
  const [isLive, setLive] = useState(false);
  const mayFollow = useMyProfile().value?.capabilities?.includes('analytics.read') ?? false;
  useWhileShown(() => {
    if (!mayFollow) return undefined;
    const leaving = new AbortController();
    async function follow() {
      for await (const { type } of followCounts({ signal: leaving.signal })) {
        setLive(true);
        if (type === 'delta') readAgain(['desk', 'counts']);
      }
    }
    // Without live counts the page reads them in intervals.
    follow().catch(() => setLive(false));
    return () => leaving.abort();
  }, [mayFollow]);
  return isLive;
}
