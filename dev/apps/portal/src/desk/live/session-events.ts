import { signal } from '@preact/signals';
import type { SessionEvent } from 'dermagate-client/staff';
import { followSession } from '../../gateway/desk-calls.ts';
import { readAgain } from '../../query/use-read.ts';
import { loseSession, onUserGone } from '../../session/session.ts';

/** What the physician should know of, the oldest first, until it is dismissed. */
export const notices = signal<readonly Exclude<SessionEvent, { name: 'hello' }>[]>([]);

onUserGone(() => (notices.value = []));

export const dismiss = (id: number): void =>
  void (notices.value = notices.peek().filter((notice) => notice.id !== id));

export const dismissAll = (): void => void (notices.value = []);

/** Follows the session until `leaving` aborts: notes each event, and reads again what it is about. */
export async function followEvents(leaving: AbortSignal): Promise<void> {
  let isGreeted = false;
  for await (const event of followSession({ signal: leaving })) {
    if (event.name === 'hello') {
      // A second one: what happened in between is not known.
      if (isGreeted) readAgain(['desk']);
      isGreeted = true;
      continue;
    }
    if ('case_uuid' in event.data) {
      // Reading the case renews its lease: of a page that its physician has left the case would never return to the queue.
      if (event.name !== 'lease.expiring') readAgain(['case', event.data.case_uuid]);
      readAgain(['desk']);
    }
    // Of one case the newest counts, and of the session too.
    const about = subjectOf(event);
    notices.value = [...notices.peek().filter((other) => subjectOf(other) !== about), event];
    if (event.name === 'session.replaced' || event.name === 'session.revoked') loseSession();
  }
}

const subjectOf = ({ data }: SessionEvent): string => ('case_uuid' in data ? data.case_uuid : 'session');
