import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterwards } from './cleanup.ts';

export interface TcpProxy {
  port: number;
  /** Bytes go both ways, the state at the start. */
  forward(): void;
  /** Connections stay and new ones are accepted, but nothing is said any more: a severed network. */
  hang(): void;
  /** What clients send still arrives, and no reply comes back, of the connections there are now. */
  mute(): void;
  /**
   * Of a PostgreSQL: the connection that makes the next round trip, or that many later, dies before its statements arrive or
   * before their replies do. Logging in is no round trip.
   */
  breakAt(roundTrip: number, before: 'statements' | 'replies'): Break;
  /** Every connection is reset, now and as it comes: a server that is being restarted. */
  reset(): void;
  /** Connections there are now have died without a word: each is reset when its client says something. New ones work. */
  forget(): void;
  /** Stops listening, for good. */
  refuse(): Promise<void>;
  /** Round trips so far, of all connections together: how often a client spoke to a server that had answered. */
  roundTrips(): number;
}

export interface Break {
  /** Whether it has come to that. */
  hasBroken(): boolean;
  /** Round trips since. */
  roundTrips(): number;
}

/** The last message of a reply: PostgreSQL takes the next statement. */
const READY_FOR_QUERY = 0x5a;
const READY_LENGTH = 6;

/** Stands between a client and a server and fails as networks do. Gone with the calling file or test. */
export async function tcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let mode: 'forward' | 'hang' | 'reset' = 'forward';
  const clients = new Map<Socket, Socket | undefined>();
  let roundTrips = 0;
  let statements: (client: Socket, upstream: Socket) => void = () => undefined;

  const server = createServer((client) => {
    client.on('error', () => undefined);
    client.on('close', () => {
      clients.get(client)?.destroy();
      clients.delete(client);
    });
    clients.set(client, undefined);
    if (mode === 'reset') client.resetAndDestroy();
    if (mode !== 'forward') return;
    const upstream = connect(target.port, target.host);
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    clients.set(client, upstream);
    let isAnswered = true;
    let isLoggedIn = false;
    // Before it is passed on: a connection can be broken first.
    client.on('data', () => {
      if (isAnswered) roundTrips += 1;
      if (isAnswered && isLoggedIn) statements(client, upstream);
      isAnswered = false;
    });
    upstream.on('data', (bytes: Buffer) => {
      isAnswered = true;
      isLoggedIn ||= isReady(bytes);
    });
    client.pipe(upstream).pipe(client);
  });

  const resetAll = () => clients.forEach((_upstream, client) => client.resetAndDestroy());

  async function refuse(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    resetAll();
    await closed;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(refuse);
  return {
    port: (server.address() as AddressInfo).port,
    forward() {
      mode = 'forward';
      // Earlier connections are useless; closing them makes their clients notice.
      resetAll();
    },
    hang() {
      mode = 'hang';
      for (const [client, upstream] of clients) {
        client.unpipe();
        upstream?.unpipe();
        client.pause();
      }
    },
    mute() {
      for (const [client, upstream] of clients) upstream?.unpipe(client).resume();
    },
    forget() {
      for (const client of clients.keys()) {
        client.unpipe();
        client.on('data', () => client.resetAndDestroy()).resume();
      }
    },
    breakAt(roundTrip, before) {
      let made = 0;
      statements = (client, upstream) => {
        made += 1;
        if (made !== roundTrip) return;
        if (before === 'statements') {
          upstream.destroy();
          client.resetAndDestroy();
        } else {
          upstream.unpipe(client);
          upstream.on('data', (bytes: Buffer) => isReady(bytes) && client.resetAndDestroy()).resume();
        }
      };
      return { hasBroken: () => made >= roundTrip, roundTrips: () => made };
    },
    reset() {
      mode = 'reset';
      resetAll();
    },
    refuse,
    roundTrips: () => roundTrips,
  };
}

const isReady = (bytes: Buffer) => bytes.at(-READY_LENGTH) === READY_FOR_QUERY;
