import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { startWebPubSub, type WebPubSub } from '../../dev/services/web-pubsub.ts';
import { afterwards } from './cleanup.ts';

/** A stand-in for Azure Web PubSub, gone with the calling file or test. */
export async function webPubSub(): Promise<WebPubSub> {
  const service = await startWebPubSub({ key: randomBytes(32).toString('base64url') });
  afterwards(service.stop);
  return service;
}

/** A message as it came, and when (`performance.now()`). */
export interface Arrived<Message> {
  message: Message;
  at: number;
}

export interface Listener<Message> {
  socket: WebSocket;
  /** Everything that has arrived so far. */
  arrived: Arrived<Message>[];
  /** Resolves with the first message from `from` on that fits, whether it has arrived or not. */
  first(fits: (message: Message) => boolean, from?: number): Promise<Message>;
  send(message: object): void;
}

/** A WebSocket that keeps what it receives, gone with the calling file or test. */
export async function listenTo<Message>(
  url: string,
  protocols: string[] = ['json.webpubsub.azure.v1'],
): Promise<Listener<Message>> {
  const socket = new WebSocket(url, protocols);
  const arrived: Arrived<Message>[] = [];
  let wake = Promise.withResolvers<void>();
  socket.on('message', (data) => {
    arrived.push({ message: JSON.parse((data as Buffer).toString()) as Message, at: performance.now() });
    wake.resolve();
    wake = Promise.withResolvers();
  });
  afterwards(async () => socket.terminate());
  await once(socket, 'open');
  return {
    socket,
    arrived,
    send: (message) => socket.send(JSON.stringify(message)),
    async first(fits, from = 0) {
      for (let next = from; ; next++) {
        while (next >= arrived.length) await wake.promise;
        const { message } = arrived[next] as Arrived<Message>;
        if (fits(message)) return message;
      }
    },
  };
}

/** The status that refuses a WebSocket, with the body. */
export async function refusalOf(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; text: string }> {
  const socket = new WebSocket(url, ['json.webpubsub.azure.v1'], { headers });
  // Of ending it before it was open.
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    AsyncIterable<Buffer> & { statusCode?: number },
  ];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  socket.terminate();
  return { status: response.statusCode, text: Buffer.concat(pieces).toString() };
}
