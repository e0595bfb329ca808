import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterwards } from './cleanup.ts';

export type AiRoute =
  | 'predict_diagnosis'
  | 'red_flags'
  | 'image_validity'
  | 'triage'
  | 'next_question'
  | 'healthy'
  | 'membership';

/** What one call gets: written to the socket as is, so that every way of misbehaving can be played. */
export type Behaviour = (request: ReceivedCall, response: ServerResponse) => void | Promise<void>;

export type ReceivedCall = {
  route: AiRoute;
  method: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
};

export type FakeAi = {
  url: string;
  /** Every call received, in order of arrival; an aborted one too, with what came of its body. */
  calls: ReceivedCall[];
  /** From now on `route` behaves so; with several, one after the other, the last one staying. */
  on(route: AiRoute, ...behaviours: [Behaviour, ...Behaviour[]]): void;
  /** Forgets all calls and every behaviour but the defaults. */
  reset(): void;
  /** Connections open right now: a client that keeps them alive shows here. */
  connections(): Promise<number>;
  /** Connections that were ever opened. */
  opened(): number;
  stop(): Promise<void>;
};

/** A reply in order. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Behaviour {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** A reply of any status, type and text, such as a proxy's HTML error page. */
export function text(body: string, status = 200, contentType = 'text/html'): Behaviour {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.end(body);
  };
}

/** Takes the request and never answers. */
export const hang: Behaviour = () => undefined;

/** Cuts the connection (RST) instead of answering. */
export const cut: Behaviour = (_request, response) => void response.socket?.resetAndDestroy();

/** Announces a JSON body, sends half of it and closes the connection. */
export function half(body: unknown): Behaviour {
  return (_request, response) => {
    const whole = JSON.stringify(body);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(whole),
    });
    response.write(whole.slice(0, whole.length / 2), () => response.socket?.end());
  };
}

/** Sends the head and the first byte at once, and then nothing for ever. */
export const stall: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{');
};

/** Forwards calls to the service at `service`, which is stateless: its reply to an equal call is used again. */
function forwarding(service: string): (path: string) => Behaviour {
  const known = new Map<string, Promise<{ status: number; type: string; body: Buffer }>>();

  async function ask({ method, headers, body }: ReceivedCall, path: string) {
    const {
      host: _host,
      connection: _connection,
      'content-length': _length,
      'transfer-encoding': _coding,
      ...kept
    } = headers;
    const reply = await fetch(new URL(path, service), {
      method,
      headers: kept as Record<string, string>,
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const type = reply.headers.get('content-type') ?? '';
    return { status: reply.status, type, body: Buffer.from(await reply.arrayBuffer()) };
  }
  return (path) => async (call, response) => {
    const question = questionOf(call, path);
    const asked = known.get(question) ?? ask(call, path);
    known.set(question, asked);
    const { status, type, body } = await asked;
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };
}

/** Identifies a call by what its reply depends on: not by the boundary of a form, which is random. */
function questionOf({ method, headers, body }: ReceivedCall, path: string): string {
  const boundary = /boundary=(\S+)/.exec(headers['content-type'] ?? '')?.[1];
  const content = body.toString('latin1');
  const parts = boundary === undefined ? content : content.replaceAll(boundary, '');
  const call = [method, path, headers['accept-language'], parts].join('\n');
  return createHash('sha256').update(call, 'latin1').digest('hex');
}

/** `next`, but only after `ms` milliseconds. */
export function after(ms: number, next: Behaviour): Behaviour {
  return async (request, response) => {
    await sleep(ms);
    await next(request, response);
  };
}

/** Valid replies that raise nothing: one likely condition, no red flags, a good photo. */
export const GOOD_REPLIES = {
  predict_diagnosis: {
    predictions: [
      { disease: 'atopic_dermatitis', probability: 0.62, confidence: 'medium' },
      { disease: 'psoriasis', probability: 0.21, confidence: 'low' },
    ],
  },
  red_flags: { hasRedFlags: false, flags: [], urgency: 'low' },
  image_validity: { isValid: true, score: 0.93, issues: [] },
  triage: {
    priority: 'routine',
    urgencyScore: 2,
    recommendedAction: 'routine_physician_review',
    reasons: [],
  },
  next_question: {
    questionId: 'patient.gender',
    questionText: 'What is your gender?',
    questionType: 'radio',
    fieldName: 'patient.gender',
    options: ['female', 'male'],
    isComplete: false,
  },
  healthy: { status: 'healthy' },
  // Of the eligibility service, which is called in the same way.
  membership: { eligible: true },
} as const satisfies Record<AiRoute, unknown>;

/**
 * An AI service over a real socket that does what the test tells it. Until then it answers `GOOD_REPLIES`, or what the
 * service at `otherwise` answers.
 */
export async function fakeAi({ otherwise }: { otherwise?: string } = {}): Promise<FakeAi> {
  const calls: ReceivedCall[] = [];
  const script = new Map<AiRoute, Behaviour[]>();
  const forward = otherwise === undefined ? undefined : forwarding(otherwise);
  const server = createServer((request, response) => void answer(request, response));
  let opened = 0;
  server.on('connection', () => (opened += 1));

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const route = (request.url ?? '').split('?')[0]?.slice(1) as AiRoute;
    const call: ReceivedCall = {
      route,
      method: request.method ?? '',
      headers: request.headers,
      body: Buffer.alloc(0),
    };
    calls.push(call);
    try {
      for await (const chunk of request) call.body = Buffer.concat([call.body, chunk as Buffer]);
    } catch {
      return; // the client gave up while sending
    }
    if (!(route in GOOD_REPLIES)) return text(`no route ${route}`, 404)(call, response);
    const queue = script.get(route) ?? [];
    const behaviour = queue.length > 1 ? queue.shift() : queue[0];
    const usual = forward?.(request.url ?? '') ?? json(GOOD_REPLIES[route]);
    await (behaviour ?? usual)(call, response);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  afterwards(stop);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    on: (route, ...behaviours) => void script.set(route, behaviours),
    reset() {
      calls.length = 0;
      script.clear();
    },
    opened: () => opened,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    stop,
  };
}
