// How long an app does not answer: the slowest of consecutive small requests while it reads a body.
import { Agent, request } from 'node:http';

export interface Sent {
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface Silence {
  /** The slowest reply to `probe` between sending the body and its reply, in milliseconds. */
  longestMs: number;
  /** The reply to the body. */
  status: number;
  answer: string;
}

/** @param probe path of a GET with an immediate reply. */
export async function longestSilence(origin: string, probe: string, sent: Sent): Promise<Silence> {
  const agent = new Agent({ keepAlive: true });
  try {
    // Opens the connection, so that no probe pays for it.
    await exchange(origin, agent, { path: probe });
    const upload = { isAnswered: false };
    const answered = exchange(origin, undefined, sent).finally(() => (upload.isAnswered = true));
    let longestMs = 0;
    do {
      const startedAt = performance.now();
      await exchange(origin, agent, { path: probe });
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    } while (!upload.isAnswered);
    return { longestMs, ...(await answered) };
  } finally {
    agent.destroy();
  }
}

function exchange(
  origin: string,
  agent: Agent | undefined,
  { path, headers = {}, body }: Partial<Sent> & { path: string },
): Promise<{ status: number; answer: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, origin), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-length': String(body.byteLength) }) },
      ...(agent !== undefined && { agent }),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('error', reject);
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, answer: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.end(body);
  });
}
