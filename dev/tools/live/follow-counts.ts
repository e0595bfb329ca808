import type { AnalyticsMessage } from '../../../src/domain/notices/analytics/publication.ts';
import { createDermagate, type DermagateError, inMemory } from '../../packages/client/src/index.ts';

export interface Credentials {
  email: string;
  password: string;
}

/**
 * The live counts of the caller's tenant, as a back office reads them: it negotiates and opens the WebSocket that it is told,
 * again whenever that ends.
 * @throws where the gateway refuses, with its reason.
 */
export async function* followCounts(
  url: string,
  credentials: Credentials,
): AsyncGenerator<AnalyticsMessage, never, void> {
  const api = createDermagate({ baseUrl: url, tokens: inMemory() });
  await api.session.logIn(credentials).catch((cause: unknown) => {
    throw new Error(`${credentials.email} cannot log in: ${(cause as DermagateError).title}`, { cause });
  });
  for (;;) {
    const { data: subscription, error } = await api.GET('/api/v1/backoffice/subscribe-analytics');
    if (subscription === undefined) throw new Error(error.detail ?? error.title);
    yield* messagesOf(new WebSocket(subscription.url, subscription.protocol));
  }
}

/** The counts that arrive, until the connection ends. */
async function* messagesOf(socket: WebSocket): AsyncGenerator<AnalyticsMessage, void, void> {
  const waiting: AnalyticsMessage[] = [];
  let wake = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as { type: string; data: AnalyticsMessage };
    if (frame.type === 'message') waiting.push(frame.data);
    wake.resolve();
  });
  socket.addEventListener('close', () => wake.resolve());
  let seq = -1;
  try {
    while (socket.readyState < WebSocket.CLOSING || waiting.length > 0) {
      const message = waiting.shift();
      if (message === undefined) {
        await wake.promise;
        wake = Promise.withResolvers();
      } else if (message.seq >= seq) {
        ({ seq } = message);
        yield message;
      }
    }
  } finally {
    socket.close();
  }
}

/** One line. */
export function describeCounts({ at, queue, in_review, on_hold, ai, ...counts }: AnalyticsMessage): string {
  const waiting = Object.entries(queue.by_triage).flatMap(([level, count]) =>
    count === 0 ? [] : [`${count} ${level}`],
  );
  return [
    at.slice(11, 19),
    `waiting: ${waiting.join(', ') || 'none'} (${queue.overdue} overdue)`,
    `in review: ${in_review}`,
    `on hold: ${on_hold}`,
    `answered in the last hour: ${counts.answered_last_hour}`,
    `physicians active: ${counts.physicians_active}`,
    `AI: ${ai.state}`,
  ].join('  ');
}
