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
  /** Every connection is reset, now and as it comes: a server that is being restarted. */
  reset(): void;
  /** Connections there are now have died without a word: each is reset when its client says something. New ones work. */
  forget(): void;
  /** Stops listening, for good. */
  refuse(): Promise<void>;
  /** Round trips so far, of all connections together: how often a client spoke to a server that had answered. */
  roundTrips(): number;
}

/** Stands between a client and a server and fails as networks do. Gone with the calling file or test. */
export async function tcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let mode: 'forward' | 'hang' | 'reset' = 'forward';
  const clients = new Map<Socket, Socket | undefined>();
  let roundTrips = 0;

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
    client.pipe(upstream).pipe(client);
    let isAnswered = true;
    upstream.on('data', () => (isAnswered = true));
    client.on('data', () => {
      if (isAnswered) roundTrips += 1;
      isAnswered = false;
    });
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
    reset() {
      mode = 'reset';
      resetAll();
    },
    refuse,
    roundTrips: () => roundTrips,
  };
}
