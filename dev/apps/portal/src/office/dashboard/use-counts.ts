import { useState } from 'preact/hooks';
import { followCounts, readCounts } from '../../gateway/office-calls.ts';
import { setRead, useRead } from '../../query/use-read.ts';
import { useWhileShown } from '../../ui/use-while-shown.ts';

/** Milliseconds between two reads. Also beside a live service: a count can become true by time alone, such as overdue. */
const POLL = 30_000;
const KEY = ['counts'];

/** The counts of the queue: as they change where there is a live service, else every half minute. */
export function useCounts() {
  const { value, failure, again } = useRead(KEY, readCounts, { every: POLL });
  const [isLive, setLive] = useState(false);
  useWhileShown(() => {
    const leaving = new AbortController();
    const show = (counts: typeof value) => {
      setLive(true);
      setRead(KEY, counts);
    };
    followCounts(show, leaving.signal).then(
      () => setLive(false),
      () => setLive(false),
    );
    return () => leaving.abort();
  }, []);
  return { counts: value, failure, again, isLive };
}
