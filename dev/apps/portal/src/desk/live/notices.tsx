import type { SessionEvent } from 'dermagate-client/staff';
import { useEffect, useRef } from 'preact/hooks';
import { readStaffCase } from '../../gateway/desk-calls.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { setRead } from '../../query/use-read.ts';
import { Link } from '../../ui/link.tsx';
import { useWhileShown } from '../../ui/use-while-shown.ts';
import { failureText } from '../parts/desk-failure.tsx';
import { clockTime } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';
import { dismiss, dismissAll, followEvents, notices } from './session-events.ts';

/** What happens to the physician's session and cases, while it happens. */
export function Notices() {
  const words = deskTexts.value;
  useWhileShown(() => {
    const leaving = new AbortController();
    // Rejects where no wait helps; the pages then learn of changes when they read.
    followEvents(leaving.signal).catch(() => {});
    return () => leaving.abort();
  }, []);
  // Many scroll in a box of their own, which is at the newest.
  const box = useRef<HTMLDivElement>(null);
  const newest = notices.value.at(-1)?.id;
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [newest]);
  return (
    <>
      <div ref={box} class="notices" role="log" aria-label={words.notices.title}>
        {notices.value.map((event) => (
          <div key={event.id} class={`notice ${event.name === 'case.assigned' ? '' : 'warning'}`}>
            <p>{textOf(event)}</p>
            {'case_uuid' in event.data && (
              <Link to={`/cases/${event.data.case_uuid}`}>{words.notices.open}</Link>
            )}
            {event.name === 'lease.expiring' && <KeepCase id={event.id} uuid={event.data.case_uuid} />}
            <button
              type="button"
              class="bare close"
              aria-label={words.dismiss}
              onClick={() => dismiss(event.id)}
            >
              ×
            </button>
          </div>
        ))}
      </div>
      {notices.value.length > 2 && (
        <button type="button" class="secondary outline small-button" onClick={dismissAll}>
          {words.dismissAll}
        </button>
      )}
    </>
  );
}

/** Reading a case puts the end of its lease off. */
function KeepCase({ id, uuid }: { id: number; uuid: string }) {
  const { keep } = deskTexts.value.notices;
  const { busy, failure, run } = useOnce();
  const renew = () =>
    run(
      () => readStaffCase(uuid, new AbortController().signal),
      (read) => {
        setRead(['case', uuid], read);
        dismiss(id);
      },
    );
  return (
    <>
      <button type="button" class="outline small-button" aria-busy={busy} onClick={() => void renew()}>
        {keep}
      </button>
      {failure !== undefined && <p role="alert">{failureText(failure)}</p>}
    </>
  );
}

function textOf(event: SessionEvent): string {
  const { notices: words } = deskTexts.value;
  const time = 'at' in event.data ? clockTime(event.data.at) : '';
  switch (event.name) {
    case 'hello':
      return '';
    case 'case.assigned':
      return words.assigned;
    case 'case.lease_expired':
      return words.leaseExpired;
    case 'case.cancelled':
      return words.cancelled;
    case 'lease.expiring':
      return fill(words.leaseExpiring, { time });
    case 'audit.correction_required':
      return words.correction;
    case 'session.expiring':
      return fill(words.sessionExpiring, { time });
    case 'session.replaced':
    case 'session.revoked':
      return words.replaced;
  }
}
