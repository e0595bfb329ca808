// One function for each kind of answer, good and bad.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { app as AzureFunctions, HttpMethod, HttpResponseInit } from '@azure/functions';

const ALL: HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

const circular: Record<string, unknown> = {};
circular.self = circular;

const answers: Record<string, () => unknown> = {
  throws() {
    throw new Error('as it should');
  },
  string: () => 'not an object',
  undefined: () => undefined,
  empty: () => ({}),
  text: () => ({ body: 'grüezi' }),
  buffer: () => ({ body: Buffer.from([1, 2, 3]) }),
  object: () => ({ jsonBody: { a: 1 } }),
  'no-content': () => ({ status: 204, jsonBody: {} }),
  'not-modified': () => ({ status: 304, headers: { etag: '"1"' } }),
  'status-999': () => ({ status: 999 }),
  'bad-header': () => ({ headers: { 'no spaces': 'x' } }),
  'latin-header': () => ({ headers: { 'content-disposition': 'attachment; filename="Zoë"' } }),
  circular: () => ({ jsonBody: circular }),
  'length-for-head': () => ({ headers: { 'content-length': '1234' } }),
  'wrong-length': () => ({ headers: { 'content-length': '3' }, body: 'four' }),
  'two-set-cookie': () => ({
    headers: [
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ],
  }),
  cookies: () => ({
    cookies: [
      { name: 'a', value: 'x y;' },
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
  }),
};

export function registerAnswers(functions: typeof AzureFunctions): void {
  /** What the handler sees of a request. */
  functions.http('show', {
    route: 'show/{part}',
    methods: ALL,
    handler: async (request, context) => {
      context.log(`show was called by ${request.method}`);
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
    },
  });
  functions.http('getOnly', { route: 'get-only', methods: ['GET'], handler: () => ({ body: 'got' }) });
  functions.http('headAndOptions', {
    route: 'head-and-options',
    methods: ['HEAD', 'OPTIONS'],
    handler: (request) => ({ headers: { 'x-method': request.method }, body: 'a body' }),
  });
  functions.http('digest', {
    route: 'digest',
    methods: ['POST'],
    handler: async (request) => {
      const bytes = Buffer.from(await request.arrayBuffer());
      return {
        jsonBody: { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
      };
    },
  });
  functions.http('echo', {
    route: 'echo',
    methods: ['POST'],
    handler: async (request) => ({ body: Buffer.from(await request.arrayBuffer()) }),
  });
  for (const [name, answer] of Object.entries(answers)) {
    functions.http(name, {
      route: `answers/${name}`,
      methods: ALL,
      handler: () => answer() as HttpResponseInit,
    });
  }
  functions.http('slow', {
    route: 'slow/{ms}',
    handler: async (request, context) => {
      context.log('slow began');
      await sleep(Number(request.params.ms));
      context.log('slow ended');
      return { body: 'at last' };
    },
  });
  functions.http('logs', {
    route: 'logs',
    handler: (_, context) => {
      context.log('an information');
      context.debug('a detail');
      context.warn('a warning');
      return {};
    },
  });
}
