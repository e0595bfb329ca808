import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { afterwards } from './cleanup.ts';

/** A message that a provider has taken. */
export interface ReceivedPush {
  provider: 'fcm' | 'web';
  /** FCM's registration token, or the name of the browser. */
  to: string;
  /** What a device folds copies by. */
  identity: string;
  title: string;
  body: string;
  ttlSeconds: number;
  isUrgent: boolean;
  /** All of it, decrypted. */
  raw: string;
}

export type PushMode =
  /** Takes every message. */
  | { kind: 'accepts' }
  /** Its port refuses connections. */
  | { kind: 'refuses_connections' }
  /** 429 with `Retry-After`. */
  | { kind: 'throttles'; seconds: number }
  /** 503, with `Retry-After` as a date where there are seconds. */
  | { kind: 'fails'; seconds?: number }
  /** Takes the message and cuts the connection before it says so. */
  | { kind: 'drops_reply' };

export interface PushProviders {
  /** For the app's environment. */
  settings: Record<string, string>;
  messages: ReceivedPush[];
  /** Requests that came, whatever became of them. */
  requests(): number;
  /** Access tokens that were issued. */
  tokensIssued(): number;
  behave(mode: PushMode): Promise<void>;
  /** Tokens and browsers that are gone: FCM answers 404 UNREGISTERED, a push service 410. */
  gone: Set<string>;
  /** Tokens that FCM calls malformed: by its error code alone, or by the field as well. */
  malformed: Map<string, 'code' | 'field'>;
  /** Tokens of another project's apps. */
  strangers: Set<string>;
  /** What a browser registers: its `PushSubscription` as JSON. */
  subscribe(name: string): string;
  /** FCM forgets the access tokens that it has issued. */
  revokeTokens(): void;
}

const project = 'clinic-test';
const bytesOf = (text: string) => Buffer.from(text, 'base64url');

/**
 * FCM's HTTP v1 with Google's token endpoint, and a push service of browsers, as their documents describe them: credentials
 * and encryption are checked for real. Takes every message until told otherwise.
 *
 * @param clock by which the credentials of browsers' messages expire.
 */
export async function pushProviders(clock = { now: () => new Date() }): Promise<PushProviders> {
  const messages: ReceivedPush[] = [];
  const account = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const vapid = createECDH('prime256v1');
  vapid.generateKeys();
  const browsers = new Map<string, { keys: ECDH; auth: Buffer }>();
  const gone = new Set<string>();
  const malformed = new Map<string, 'code' | 'field'>();
  const strangers = new Set<string>();
  let validTokens = new Set<string>();
  let issued = 0;
  let requests = 0;
  let mode: PushMode = { kind: 'accepts' };
  let server: Server | undefined;
  let url = '';

  const isTaken = (response: ServerResponse): boolean => {
    if (mode.kind === 'throttles') {
      response.writeHead(429, { 'retry-after': String(mode.seconds) });
      response.end(fcmError(429, 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED'));
      return false;
    }
    if (mode.kind === 'fails') {
      const at = new Date(Date.now() + (mode.seconds ?? 0) * 1000).toUTCString();
      response.writeHead(503, mode.seconds === undefined ? {} : { 'retry-after': at });
      response.end(fcmError(503, 'UNAVAILABLE', 'UNAVAILABLE'));
      return false;
    }
    return true;
  };

  async function giveToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const said = JSON.parse(bytesOf(claims).toString()) as Record<string, unknown>;
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      account.publicKey,
      bytesOf(signature),
    );
    const isMeant =
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
      said['iss'] === `push@${project}.iam.gserviceaccount.com` &&
      said['aud'] === `${url}/token` &&
      said['scope'] === 'https://www.googleapis.com/auth/firebase.messaging' &&
      Number(said['exp']) - Number(said['iat']) <= 3600;
    if (!isSigned || !isMeant) {
      response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant' }));
      return;
    }
    const token = randomBytes(16).toString('base64url');
    validTokens.add(token);
    issued += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ access_token: token, expires_in: 3599, token_type: 'Bearer' }));
  }

  async function takeFcm(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(request);
    const refuse = (status: number, name: string, code?: string, field?: string) =>
      void response.writeHead(status).end(fcmError(status, name, code, field));
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!validTokens.has(token)) return refuse(401, 'UNAUTHENTICATED');
    if (!isTaken(response)) return;
    const { message } = JSON.parse(raw) as { message: Record<string, never> };
    const { token: to, notification, android, apns } = message as unknown as FcmMessage;
    const field = malformed.get(to) === 'field' ? 'message.token' : undefined;
    if (malformed.has(to)) return refuse(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', field);
    if (strangers.has(to)) return refuse(403, 'PERMISSION_DENIED', 'SENDER_ID_MISMATCH');
    if (typeof notification.title !== 'string' || notification.title === '') {
      return refuse(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'message.notification.title');
    }
    if (gone.has(to)) return refuse(404, 'NOT_FOUND', 'UNREGISTERED');
    const folded = new Set([
      android.collapse_key,
      android.notification.tag,
      apns.headers['apns-collapse-id'],
    ]);
    if (folded.size !== 1 || android.collapse_key.length > 64) return refuse(400, 'INVALID_ARGUMENT');
    messages.push({
      provider: 'fcm',
      to,
      identity: android.collapse_key,
      ...notification,
      ttlSeconds: Number(/^(\d+)s$/.exec(android.ttl)?.[1]),
      isUrgent: android.priority === 'HIGH' && apns.headers['apns-priority'] === '10',
      raw,
    });
    answer(response, 200, JSON.stringify({ name: `projects/${project}/messages/${messages.length}` }));
  }

  async function takeWebPush(
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = await buffer(request);
    const { authorization = '', ttl, topic, urgency } = request.headers as Record<string, string>;
    if (!isVapid(authorization)) return void response.writeHead(403).end();
    if (!/^\d+$/.test(ttl ?? '') || !/^[A-Za-z0-9_-]{1,32}$/.test(topic ?? ''))
      return void response.writeHead(400).end();
    if (body.length > 4096) return void response.writeHead(413).end();
    if (!isTaken(response)) return;
    const browser = browsers.get(name);
    if (browser === undefined || gone.has(name)) return void response.writeHead(410).end();
    const raw = decrypt(browser, body);
    const { title, options } = JSON.parse(raw) as { title: string; options: { body: string; tag: string } };
    if (options.tag !== topic) return void response.writeHead(400).end();
    messages.push({
      provider: 'web',
      to: name,
      identity: topic,
      title,
      body: options.body,
      ttlSeconds: Number(ttl),
      isUrgent: urgency === 'high',
      raw,
    });
    answer(response, 201, '');
  }

  function answer(response: ServerResponse, status: number, reply: string): void {
    if (mode.kind === 'drops_reply') return void response.socket?.resetAndDestroy();
    response.writeHead(status).end(reply);
  }

  /** RFC 8292: signed by the key that the browser has subscribed with, for this push service, for a day at most. */
  function isVapid(authorization: string): boolean {
    const [, head = '', claims = '', signature = '', key = ''] =
      /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    const point = vapid.getPublicKey();
    if (key !== point.toString('base64url')) return false;
    const x = point.subarray(1, 33).toString('base64url');
    const y = point.subarray(33).toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    const { aud, exp, sub } = JSON.parse(bytesOf(claims).toString()) as Record<string, unknown>;
    const lifetime = Number(exp) - clock.now().getTime() / 1000;
    return (
      aud === url &&
      typeof sub === 'string' &&
      sub.startsWith('mailto:') &&
      lifetime > 0 &&
      lifetime <= 24 * 60 * 60 &&
      verify(
        'sha256',
        Buffer.from(`${head}.${claims}`),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        bytesOf(signature),
      )
    );
  }

  async function listen(port: number): Promise<number> {
    server = createServer((request, response) => {
      requests += 1;
      const path = request.url ?? '';
      const work =
        path === '/token'
          ? giveToken(request, response)
          : path === `/v1/projects/${project}/messages:send`
            ? takeFcm(request, response)
            : takeWebPush(path.replace('/push/', ''), request, response);
      work.catch((error: unknown) => void response.writeHead(400).end(String(error)));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function close(): Promise<void> {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    const closed = once(closing, 'close');
    closing.close();
    closing.closeAllConnections();
    await closed;
  }

  const port = await listen(0);
  url = `http://127.0.0.1:${port}`;
  afterwards(close);
  return {
    settings: {
      FCM_URL: url,
      FCM_SERVICE_ACCOUNT: JSON.stringify({
        type: 'service_account',
        project_id: project,
        client_email: `push@${project}.iam.gserviceaccount.com`,
        private_key: account.privateKey.export({ type: 'pkcs8', format: 'pem' }),
        token_uri: `${url}/token`,
      }),
      VAPID_PRIVATE_KEY: Buffer.from(vapid.getPrivateKey('hex').padStart(64, '0'), 'hex').toString(
        'base64url',
      ),
      VAPID_SUBJECT: 'mailto:push@clinic.example',
      WEB_PUSH_HOSTS: '127.0.0.1',
    },
    messages,
    requests: () => requests,
    tokensIssued: () => issued,
    async behave(wanted) {
      mode = wanted;
      if (mode.kind === 'refuses_connections') await close();
      else if (server === undefined) await listen(port);
    },
    gone,
    malformed,
    strangers,
    subscribe(name) {
      const keys = createECDH('prime256v1');
      const auth = randomBytes(16);
      browsers.set(name, { keys, auth });
      const p256dh = keys.generateKeys('base64url');
      const endpoint = `${url}/push/${name}`;
      return JSON.stringify({
        endpoint,
        expirationTime: null,
        keys: { p256dh, auth: auth.toString('base64url') },
      });
    },
    revokeTokens: () => void (validTokens = new Set()),
  };
}

interface FcmMessage {
  token: string;
  notification: { title: string; body: string };
  android: { collapse_key: string; priority: string; ttl: string; notification: { tag: string } };
  apns: { headers: Record<string, string> };
}

function fcmError(code: number, status: string, errorCode?: string, field?: string): string {
  const details = [
    ...(errorCode === undefined
      ? []
      : [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }]),
    ...(field === undefined
      ? []
      : [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field, description: 'as documented' }],
          },
        ]),
  ];
  return JSON.stringify({ error: { code, message: 'as documented', status, details } });
}

/** RFC 8291, as a browser does it. */
function decrypt({ keys, auth }: { keys: ECDH; auth: Buffer }, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + sender.length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const ikm = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', ikm, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}
