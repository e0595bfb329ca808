import { followSession } from '../../../../domain/announce/live/follow-session.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { eventStream } from '../../../../lib/http/event-stream.ts';

export const v1BackofficeConnectSession = endpoint({
  name: 'v1BackofficeConnectSession',
  method: 'GET',
  route: 'api/v1/backoffice/unique-sessions/connect',
  tag: 'Backoffice',
  summary: 'Receive the events of the session and of the caller’s cases',
  description:
    'An event stream in the form of a long poll. Without `Last-Event-ID` the reply is `hello` at once; its `id` is that of ' +
    'the newest notice. With it the reply has every later event, or waits for one, for 25 seconds at most. Then the client ' +
    'asks again, after `retry` milliseconds and with the last `id` that it has seen; no event is lost or repeated. Where the gateway knows no notice of that id any more, the reply is `hello` ' +
    'with a lower `id`, after the wait: the client goes on from there, and reads its lists anew. A server ' +
    'that holds as many requests as it may answers at once, with a longer `retry`. Browsers read it with `fetch`, because ' +
    '`EventSource` sends no bearer token.\n\n' +
    '`data` is JSON; ids and times only:\n' +
    '- `hello`: `session_id`, `unique` (whether another login ends this session), `server_time`\n' +
    '- `case.assigned`, `case.lease_expired`, `case.cancelled`: `case_uuid`, `at`\n' +
    '- `lease.expiring`: `case_uuid`, `at`: the end, in two minutes\n' +
    '- `audit.correction_required`: `case_uuid`, `annotation_uuid`, `at`\n' +
    '- `session.replaced`: `at`, `device_label` or null: another login has ended this session\n' +
    '- `session.revoked`: `at`, `reason`\n' +
    '- `session.expiring`: `at`: the end, in two minutes\n\n' +
    'Notices are kept for 24 hours.',
  auth: 'physician-level',
  audit: 'none',
  reads: ['last-event-id'],
  reply: { status: 200, raw: 'text/event-stream', description: 'Events, or a comment where there are none.' },
  problems: ['stream_limit'],
  async handler({ context, actor, request }) {
    const { events, retryMs } = await followSession(context, actor, request.lastEventId);
    return { body: eventStream(events, retryMs), headers: {} };
  },
});
