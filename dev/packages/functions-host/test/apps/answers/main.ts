// One function for each kind of answer, good and bad.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { app } from '@azure/functions';
import type { HttpHandler, HttpMethod, HttpResponseInit } from '@azure/functions';

const ALL: HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** What the handler sees of a request. */
const show: HttpHandler = async (request, context) => {
  console.log(`show was called by ${request.method}`);
  return {
    jsonBody: {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers.entries()),
      query: Object.fromEntries(request.query.entries()),
      params: request.params,
      body: await request.text(),
      traceParent: context.traceContext?.traceParent,
    },
  };
};

app.http('show', { route: 'show/{part?}', methods: ALL, handler: show });
app.http('defaults', { handler: () => ({ body: 'defaults' }) });
app.http('getOnly', { route: 'get-only', methods: ['GET'], handler: () => ({ body: 'got' }) });
app.http('lowerCase', {
  route: 'lower-case',
  methods: ['get' as HttpMethod],
  handler: () => ({ body: 'got' }),
});
app.http('headAndOptions', {
  route: 'head-and-options',
  methods: ['HEAD', 'OPTIONS'],
  handler: (request) => ({ headers: { 'x-method': request.method }, body: 'a body' }),
});
app.http('keyed', { route: 'keyed', authLevel: 'function', handler: () => ({ body: 'open' }) });
app.http('disabled', { route: 'disabled', handler: () => ({ body: 'never' }) });
app.http('user', { route: 'user', handler: (request) => ({ jsonBody: request.user }) });

app.http('digest', {
  route: 'digest',
  methods: ['POST'],
  handler: async (request) => {
    const bytes = Buffer.from(await request.arrayBuffer());
    return { jsonBody: { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') } };
  },
});
app.http('echo', {
  route: 'echo',
  methods: ['POST'],
  handler: async (request) => ({ body: Buffer.from(await request.arrayBuffer()) }),
});
app.http('json', {
  route: 'json',
  methods: ['POST'],
  handler: async (request) => ({ jsonBody: await request.json() }),
});

function answers(name: string, handler: () => unknown): void {
  app.http(name, { route: `answers/${name}`, methods: ALL, handler: () => handler() as HttpResponseInit });
}

const circular: Record<string, unknown> = {};
circular.self = circular;

answers('throws', () => {
  throw new Error('as it should');
});
answers('string', () => 'not an object');
answers('undefined', () => undefined);
answers('null', () => null);
answers('empty', () => ({}));
answers('text', () => ({ body: 'grüezi' }));
answers('buffer', () => ({ body: Buffer.from([1, 2, 3]) }));
answers('object', () => ({ jsonBody: { a: 1 } }));
answers('no-content', () => ({ status: 204, jsonBody: {} }));
answers('not-modified', () => ({ status: 304, headers: { etag: '"1"' } }));
answers('status-999', () => ({ status: 999 }));
answers('bad-header', () => ({ headers: { 'no spaces': 'x' } }));
answers('latin-header', () => ({ headers: { 'x-name': 'Zoë' } }));
answers('circular', () => ({ jsonBody: circular }));
answers('own-server', () => ({ headers: { server: 'mine', 'x-two': 'words here' } }));
answers('length-for-head', () => ({ headers: { 'content-length': '1234' } }));
answers('wrong-length', () => ({ headers: { 'content-length': '3' }, body: 'four' }));
answers('two-set-cookie', () => ({
  headers: [
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ],
}));
answers('cookies', () => ({
  cookies: [
    { name: 'a', value: 'x y;(1)' },
    {
      name: 'b',
      value: '2',
      path: '/sub',
      domain: 'app.test',
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
    },
    { name: 'c', value: '3', maxAge: 60, expires: new Date('2030-01-02T03:04:05Z'), sameSite: 'None' },
  ],
}));
answers('stream', () => ({
  body: new ReadableStream({
    async start(controller) {
      for (const part of ['one ', 'two ', 'three']) {
        controller.enqueue(new TextEncoder().encode(part));
        await sleep(100);
      }
      controller.close();
    },
  }),
}));
answers('broken-stream', () => ({
  body: new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('one'));
      await sleep(50);
      controller.error(new Error('midway'));
    },
  }),
}));

app.http('slow', {
  route: 'slow/{ms:int}',
  handler: async (request) => {
    console.log('slow began');
    await sleep(Number(request.params.ms));
    console.log('slow ended');
    return { body: 'at last' };
  },
});
app.http('exit', { route: 'exit', handler: () => process.exit(3) });
app.http('reject', {
  route: 'reject',
  handler: async () => {
    void Promise.reject(new Error('floating'));
    await sleep(5000);
    return {};
  },
});
app.http('environment', {
  route: 'environment/{name}',
  handler: (request) => ({ body: process.env[request.params.name ?? ''] ?? '(not set)' }),
});
app.http('lateRegistration', {
  route: 'late-registration',
  handler: () => {
    try {
      app.http('late', { handler: () => ({}) });
      return { body: 'registered' };
    } catch (error) {
      return { body: (error as Error).message };
    }
  },
});
app.http('logs', {
  route: 'logs',
  handler: (_, context) => {
    context.log('an information');
    context.debug('a detail');
    context.warn('a warning');
    return {};
  },
});
