import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type JWTPayload, jwtVerify } from 'jose';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { createPortAllocator, type PortAllocator } from './free-port.ts';

export type WebPubSubOptions = {
  /** Tried first. */
  port?: number | undefined;
  /** Where the port comes from. By default any free one. */
  ports?: PortAllocator;
  /** The access key, which signs tokens. */
  key: string;
};

export type WebPubSub = {
  port: number;
  /** For WEBPUBSUB_CONNECTION_STRING. */
  connectionString: string;
  stop(): Promise<void>;
};

type Connection = {
  id: string;
  hub: string;
  userId: string | undefined;
  roles: string[];
  groups: Set<string>;
};

/** What a client must be permitted to do; other messages are none that it understands. */
const roleFor: Partial<Record<string, string>> = {
  joinGroup: 'joinLeaveGroup',
  leaveGroup: 'joinLeaveGroup',
  sendToGroup: 'sendToGroup',
};

const SUBPROTOCOL = 'json.webpubsub.azure.v1';
const HUB = /^\/client\/hubs\/([^/]+)$/;
const REST = /^\/api\/hubs\/([^/]+)\/(groups|users)\/([^/]+)(\/:send)?$/;

/**
 * Stands in for Azure Web PubSub on 127.0.0.1: the part of its REST API by which a server sends to groups and users, and the
 * JSON subprotocol for clients, with the checks of tokens, roles and groups. Messages that nobody receives are lost.
 * https://learn.microsoft.com/azure/azure-web-pubsub/reference-json-webpubsub-subprotocol
 */
export async function startWebPubSub({
  port: preferred,
  ports = createPortAllocator(),
  key,
}: WebPubSubOptions): Promise<WebPubSub> {
  const secret = new TextEncoder().encode(key);
  const connections = new Map<WebSocket, Connection>();
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request, socket, head) => {
    connect(request, socket, head).catch(() => socket.destroy());
  });

  const address = (request: IncomingMessage) => new URL(request.url ?? '/', `http://${request.headers.host}`);

  /** The claims of a token for this address; undefined for one that is not ours, has ended or is for another. */
  async function claimsOf(token: string | null, { origin, pathname }: URL): Promise<JWTPayload | undefined> {
    try {
      const { payload } = await jwtVerify(token ?? '', secret, {
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
      });
      const isForHere = [payload.aud].flat().some((audience) => {
        const meant = new URL(audience ?? '');
        return meant.origin === origin && meant.pathname === pathname;
      });
      return isForHere ? payload : undefined;
    } catch {
      return undefined;
    }
  }

  async function connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = address(request);
    const hub = HUB.exec(url.pathname)?.[1];
    const claims = await claimsOf(url.searchParams.get('access_token'), url);
    if (hub === undefined || claims === undefined) {
      socket.end(
        `HTTP/1.1 ${hub === undefined ? '404 Not Found' : '401 Unauthorized'}\r\nConnection: close\r\n\r\n`,
      );
      return;
    }
    const list = (value: unknown) => [value ?? []].flat().filter((each) => typeof each === 'string');
    sockets.handleUpgrade(request, socket, head, (client) => {
      const connection: Connection = {
        id: randomUUID(),
        hub,
        userId: claims.sub,
        roles: list(claims['role']),
        groups: new Set(list(claims['webpubsub.group'])),
      };
      connections.set(client, connection);
      client.on('close', () => connections.delete(client));
      client.on('error', () => client.terminate());
      client.on('message', (data) => receive(client, connection, textOf(data)));
      send(client, { type: 'system', event: 'connected', userId: claims.sub, connectionId: connection.id });
    });
  }

  /** A client that has not asked for the subprotocol receives the data alone, and sends events only. */
  function send(client: WebSocket, message: Readonly<Record<string, unknown>>): void {
    if (client.protocol === SUBPROTOCOL) client.send(JSON.stringify(message));
    else if ('data' in message) client.send(JSON.stringify(message['data']));
  }

  function receive(client: WebSocket, connection: Connection, text: string): void {
    if (client.protocol !== SUBPROTOCOL) return;
    const { type, group = '', ackId, data, dataType = 'json', noEcho = false } = parse(text);
    if (type === 'ping') return send(client, { type: 'pong' });
    // Every client may send events; no server receives them here.
    if (type === 'event') return;
    const role = roleFor[type];
    if (role === undefined) return client.close(1003, 'Invalid message');
    const isAllowed = [`webpubsub.${role}`, `webpubsub.${role}.${group}`].some((name) =>
      connection.roles.includes(name),
    );
    if (isAllowed && type === 'joinGroup') connection.groups.add(group);
    if (isAllowed && type === 'leaveGroup') connection.groups.delete(group);
    if (isAllowed && type === 'sendToGroup') {
      const message = { dataType, data, fromUserId: connection.userId };
      toGroup(connection.hub, group, message, noEcho ? client : undefined);
    }
    if (ackId === undefined) return;
    const error = { name: 'Forbidden', message: `The client does not have permission to ${type}.` };
    send(client, { type: 'ack', ackId, success: isAllowed, ...(!isAllowed && { error }) });
  }

  const inHub = (hub: string) => [...connections].filter(([, connection]) => connection.hub === hub);

  function toGroup(hub: string, group: string, message: object, except?: WebSocket): void {
    for (const [client, { groups }] of inHub(hub)) {
      if (client !== except && groups.has(group))
        send(client, { type: 'message', from: 'group', group, ...message });
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = address(request);
    const body = await buffer(request);
    const reply = (status: number) => void response.writeHead(status).end();
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
    if ((await claimsOf(token, url)) === undefined) return reply(401);
    const [, hub = '', kind, name = '', action] = REST.exec(url.pathname) ?? [];
    const target = decodeURIComponent(name);
    const isMeant = ({ groups, userId }: Connection) =>
      kind === 'groups' ? groups.has(target) : userId === target;
    if (kind === undefined) return reply(404);
    if (action === undefined) {
      if (request.method !== 'HEAD') return reply(405);
      return reply(inHub(hub).some(([, connection]) => isMeant(connection)) ? 200 : 404);
    }
    if (request.method !== 'POST') return reply(405);
    if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return reply(415);
    const message = { dataType: 'json', data: JSON.parse(body.toString()) as unknown };
    if (kind === 'groups') toGroup(hub, target, message);
    else {
      for (const [client, connection] of inHub(hub))
        if (isMeant(connection)) send(client, { type: 'message', from: 'server', ...message });
    }
    reply(202);
  }

  const port = await ports.onFreePort(preferred, async (free) => {
    server.listen(free, '127.0.0.1');
    await once(server, 'listening');
    return free;
  });
  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    for (const client of connections.keys()) client.terminate();
    server.closeAllConnections();
    await closed;
  }
  return {
    port,
    connectionString: `Endpoint=http://127.0.0.1;Port=${port};AccessKey=${key};Version=1.0;`,
    stop: () => (stopped ??= stop()),
  };
}

interface ClientMessage {
  type: string;
  group?: string;
  ackId?: number;
  dataType?: string;
  data?: unknown;
  noEcho?: boolean;
}

/** Without a type for what is no JSON object. */
function parse(text: string): ClientMessage {
  try {
    return { ...(JSON.parse(text) as ClientMessage | null) } as ClientMessage;
  } catch {
    return { type: '' };
  }
}

/** Messages of this subprotocol are text; one that comes in fragments is put together. */
function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
}
