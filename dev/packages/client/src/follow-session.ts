import { errorOfReply } from './dermagate-error.ts';
import { pause } from './pause.ts';
import type { Transport } from './create-dermagate.ts';
import { isProblem } from './problem.ts';
import { secondsToWait } from './with-retry.ts';

/** What happens to the session and to the cases of its user. Of what ends soon, `at` is the end. */
export type SessionEvent = { id: number } & (
  | { name: 'hello'; data: { session_id: string; unique: boolean; server_time: string } }
  | {
      name: 'case.assigned' | 'case.lease_expired' | 'case.cancelled';
      data: { case_uuid: string; at: string };
    }
  | { name: 'lease.expiring'; data: { case_uuid: string; at: string } }
  | {
      name: 'audit.correction_required';
      data: { case_uuid: string; annotation_uuid: string; at: string };
    }
  | { name: 'session.replaced'; data: { at: string; device_label: string | null } }
  | { name: 'session.revoked'; data: { at: string; reason: string } }
  | { name: 'session.expiring'; data: { at: string } }
);

export interface FollowOptions {
  /** Ends the loop. */
  signal?: AbortSignal;
}

/** Milliseconds. A held request is answered in half of this; without an answer the connection is dead. */
const ANSWERED_WITHIN = 50_000;
/** Milliseconds before each further attempt without an answer; the last one counts for all that follow. */
const BACKOFF = [1000, 2000, 4000, 8000, 15_000];
/** After them the gateway has nothing more to say. */
const LAST: readonly string[] = ['session.replaced', 'session.revoked'];

/**
 * The events of the session, `hello` first, each of them once and in order. It asks again whenever a reply has ended, with the
 * last id that it has seen, and waits out what is temporary. It returns when the session has ended, another user has signed in
 * or `signal` aborts.
 *
 * @throws {DermagateError} for a reply that no wait can change, such as `forbidden`.
 */
export async function* followSession(
  { url, headers, fetch, user }: Pick<Transport, 'fetch' | 'user'> & { url: string; headers: Headers },
  { signal = new AbortController().signal }: FollowOptions = {},
): AsyncGenerator<SessionEvent, void, void> {
  let lastId: number | undefined;
  let failures = 0;
  const follower = await user();
  do {
    const reply = await ask();
    // After a sign-out there is still to say how the session has ended, but not to the next user.
    if (![follower, undefined].includes(await user())) return;
    if (reply?.isStream === true) {
      const { events, retryMs } = parseEvents(reply.text);
      failures = 0;
      for (const event of events) {
        if (event.name !== 'hello' && event.id <= (lastId ?? -1)) continue;
        lastId = event.id;
        yield event;
        if (LAST.includes(event.name) || signal.aborted) return;
      }
      await pause(retryMs, signal);
    } else {
      const problem = reply && bodyOf(reply.text);
      // The page of a proxy, whatever its status, decides nothing about the session.
      if (reply !== undefined && isProblem(problem) && reply.status < 500 && reply.status !== 429) {
        if (reply.status === 401) return;
        throw errorOfReply(problem, reply.response);
      }
      const backoff = BACKOFF[Math.min(failures, BACKOFF.length - 1)] ?? 0;
      failures += 1;
      const asked = reply && secondsToWait(reply.response.headers);
      await pause(Math.max(backoff, (asked ?? 0) * 1000), signal);
    }
  } while (!signal.aborted && (await user()) === follower);

  /** Undefined without an answer. */
  async function ask() {
    const request = new Request(url, {
      headers: new Headers(headers),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWERED_WITHIN)]),
    });
    request.headers.set('accept', 'text/event-stream');
    if (lastId !== undefined) request.headers.set('last-event-id', String(lastId));
    try {
      const response = await fetch(request);
      const { ok, status, headers: received } = response;
      const isStream = ok && received.get('content-type')?.startsWith('text/event-stream') === true;
      return { isStream, status, response, text: await response.text() };
    } catch {
      return undefined;
    }
  }
}

/** The blocks of `text/event-stream`; what is neither an event nor `retry` is left out. */
function parseEvents(text: string): { events: SessionEvent[]; retryMs: number } {
  const events: SessionEvent[] = [];
  let retryMs = 500;
  for (const block of text.split(/\r?\n\r?\n/)) {
    const fields = new Map(
      block.split(/\r?\n/).flatMap((line): [string, string][] => {
        const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
        return name === '' ? [] : [[name, value]];
      }),
    );
    retryMs = Number(fields.get('retry') ?? retryMs);
    const { id, event: name, data } = Object.fromEntries(fields);
    if (id === undefined || name === undefined || data === undefined) continue;
    events.push({ id: Number(id), name, data: JSON.parse(data) as unknown } as SessionEvent);
  }
  return { events, retryMs };
}

/** The body of a reply: a problem, or the text of a proxy. */
function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
