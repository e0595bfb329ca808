import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HttpRequest, InvocationContext } from '@azure/functions';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRouter } from '../dev/packages/functions-host/router.ts';
import type { RegisteredFunction } from '../dev/packages/functions-host/wire.ts';
import { endpoints } from '../src/endpoints.ts';
import type { AppContext } from '../src/lib/app/context.ts';
import type { AnyEndpoint } from '../src/lib/http/endpoint.ts';
import { problemsOf } from '../src/lib/http/endpoint-problems.ts';
import { serveNotFound } from '../src/lib/http/not-found.ts';
import { createMeters } from '../src/lib/telemetry/meters.ts';
import { createRequestMetrics } from '../src/lib/telemetry/request-metrics.ts';
import type { Recorded } from '../dev/tools/openapi/examples.ts';
import { currentDocument, readDocumented } from '../dev/tools/openapi/documented-examples.ts';
import { problems } from '../src/contract/problem-list.ts';
import { expectOfEach } from './support/offenders.ts';

// What must hold of every endpoint, now and later. What it answers is in test/functions/.

const root = join(import.meta.dirname, '..');

/** Where the folders of src/functions lie in the address space; any other folder `x` is `api/x`. */
const places: Readonly<Record<string, RegExp>> = {
  health: /^health(?:y)?$/,
  discovery: /^api\/(?:openapi\.json|docs)(?:\/|$)/,
};

const withName = endpoints.map((endpoint) => [endpoint.name, endpoint] as const);

const files = globSync('src/functions/**/*.ts', { cwd: root }).toSorted((a, b) => a.localeCompare(b));
const exported = await Promise.all(
  files.map(async (file) => {
    const module = (await import(join(root, file))) as Record<string, AnyEndpoint>;
    return { file, values: Object.values(module), names: Object.keys(module) };
  }),
);

describe('each file below src/functions', () => {
  const byFile = exported.map((each) => [each.file, each] as const);

  test('exports one endpoint under its own name', () =>
    expectOfEach(byFile, ({ file, names, values }) => {
      expect(names).toHaveLength(1);
      expect(values[0]?.name).toBe(names[0]);
      // Of v1, `v1/mobile/cases/create-case.ts` is `v1MobileCreateCase`: its name begins with the group of routes.
      const [, group = ''] = /^src\/functions\/(v1\/[^/]+)\//.exec(file) ?? [];
      const words = `${group}${basename(file, '.ts')}`.replaceAll(/[-/]/g, '');
      expect(words).toBe(names[0]?.toLowerCase());
    }));

  test('is in endpoints.ts', () => {
    const missing = exported.filter(({ values }) => !endpoints.includes(values[0] as AnyEndpoint));
    expect(missing.map(({ file }) => file)).toEqual([]);
  });

  test('lies where its address does', () =>
    expectOfEach(byFile, ({ file, values }) => {
      const folder = dirname(file).replace('src/functions/', '');
      const place = places[folder] ?? new RegExp(`^api/${folder}(?:/|$)`);
      expect(values[0]?.route).toMatch(place);
    }));
});

test('endpoints.ts lists nothing that is no file, and nothing twice', () => {
  const known = new Set(exported.flatMap(({ values }) => values));
  expect(endpoints.filter((endpoint) => !known.has(endpoint))).toEqual([]);
  expect(new Set(endpoints).size).toBe(endpoints.length);
});

test('names are unique, also for a host that ignores their case', () => {
  const names = endpoints.map(({ name }) => name.toLowerCase());
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('a method and a route belong to one endpoint', () => {
  const keys = endpoints.map(({ method, route }) => `${method} ${route.toLowerCase()}`);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

describe('each endpoint', () => {
  test('has a name that the host takes', () =>
    expectOfEach(withName, (endpoint) => {
      expect(endpoint.name).toMatch(/^[a-z][a-z0-9_-]{0,127}$/i);
      expect(endpoint.name.toLowerCase()).not.toBe('host');
      // Behind every other: the catch-all of app.ts.
      expect(endpoint.name.toUpperCase() < 'ZZ-NOT-FOUND').toBe(true);
    }));

  test('has a full path that the host has not reserved', () =>
    expectOfEach(withName, (endpoint) => {
      expect(endpoint.route).toMatch(/^[^/].*[^/]$/);
      expect(endpoint.route).not.toMatch(/^(?:admin|runtime)/i);
    }));

  test('declares exactly the parameters of its route', () =>
    expectOfEach(withName, (endpoint) => {
      const inRoute = [...endpoint.route.matchAll(/\{\*{0,2}(\w+)[^}]*\}/g)].map(([, name]) => name);
      const shape = (endpoint.params as { shape?: object } | undefined)?.shape ?? {};
      expect(Object.keys(shape)).toEqual(inRoute);
    }));

  test('is shadowed by no other route: the host asks functions in the order of their names', () =>
    expectOfEach(withName, (endpoint) => {
      for (const method of methodsOf(endpoint)) {
        const match = router.match(method, samplePath(endpoint));
        expect(match?.info.name).toBe(endpoint.name);
      }
    }));

  test('answers only problems that the list knows', () =>
    expectOfEach(withName, (endpoint) => {
      expect(problemsOf(endpoint).filter((code) => !Object.hasOwn(problems, code))).toEqual([]);
    }));

  test('refuses unknown members of its body', () =>
    expectOfEach(withName, (endpoint) => {
      // Where the domain checks the body, what is published has to say the same.
      const body = endpoint.bodyDocs ?? endpoint.body;
      if (body === undefined) return;
      // Of alternatives, each.
      for (const schema of body instanceof z.ZodDiscriminatedUnion ? body.options : [body]) {
        const parsed = (schema as z.ZodType).safeParse({ surely_not_a_member: 1 });
        const keys = parsed.error?.issues.flatMap((issue) =>
          issue.code === 'unrecognized_keys' ? issue.keys : [],
        );
        expect(keys).toEqual(['surely_not_a_member']);
      }
    }));

  test('takes a body only by a method that carries one', () =>
    expectOfEach(withName, (endpoint) => {
      if (endpoint.method !== 'GET' && endpoint.method !== 'DELETE') return;
      expect(endpoint.body).toBeUndefined();
      expect(endpoint.multipart).toBeUndefined();
    }));

  test('says for whom it is and what the event log keeps of it', () =>
    expectOfEach(withName, (endpoint) => {
      expect(endpoint.auth).toMatch(
        /^(?:public|optional|any|any-unless-public-ai|physician-level|admin-level)$/,
      );
      // What changes something, or reveals who a person is, is worth a row.
      if (endpoint.method !== 'GET' && endpoint.audit === 'none') expect(unaudited).toContain(endpoint.name);
    }));
});

/** Changes nothing that the caller could see: the mail that it causes is recorded where it is made; or nothing at all. */
const unaudited = ['requestPasswordReset', 'resendVerification', 'v1MobileCheckConnectivity'];

test('the router of the test tells a shadowed route', () => {
  const shadowing = createRouter(
    [registration('aFirst', 'GET', 'api/{anything}/me'), registration('getMe', 'GET', 'api/auth/me')],
    '',
  );
  expect(shadowing.match('GET', '/api/auth/me')?.info.name).toBe('aFirst');
});

describe('every problem code is answered somewhere', () => {
  interface ProblemReply {
    code: string;
    status: number;
    type: string;
    title: string;
  }
  /** Problems among the recorded answers that an operation shows under their own status. */
  function answered(recorded: readonly Recorded[]): ProblemReply[] {
    return recorded.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, examples]) =>
        Object.values(examples)
          .map(({ value }) => value as Partial<ProblemReply>)
          .filter((value): value is ProblemReply => typeof value.code === 'string')
          .filter((value) => String(value.status) === status),
      ),
    );
  }

  /** What no endpoint answers, because none is meant: the catch-all of app.ts. */
  async function answeredByCatchAll(method: string, path: string): Promise<ProblemReply> {
    const context = {
      config: { CORS_ORIGINS: [], LOG_LEVEL: 'error' },
      metrics: createRequestMetrics(createMeters()),
    } as unknown as AppContext;
    const request = new HttpRequest({ method, url: `http://app.test${path}` });
    const reply = await serveNotFound(endpoints, context)(request, new InvocationContext());
    return JSON.parse((reply as { body: string }).body) as ProblemReply;
  }

  const unanswered = (replies: readonly ProblemReply[], codes: readonly string[]) =>
    codes.filter((code) => !replies.some((reply) => reply.code === code));

  test('with its own status, type and title', async () => {
    const replies = [
      ...answered(readDocumented()),
      await answeredByCatchAll('GET', '/nowhere'),
      await answeredByCatchAll('DELETE', '/health'),
    ];
    expect(unanswered(replies, Object.keys(problems))).toEqual([]);
    for (const { code, status, type, title } of replies) {
      const known = problems[code as keyof typeof problems];
      expect({ code, status, title }).toEqual({ code, status: known.status, title: known.title });
      expect(type).toBe(`urn:dermagate:problem:${code}`);
    }
  });

  test('a code that stands in the sources alone is not answered', () => {
    expect(unanswered(answered(readDocumented()), ['never_answered'])).toEqual(['never_answered']);
    const value = { code: 'elsewhere', status: 404, type: '', title: '' };
    const responses = { 400: { elsewhere: { summary: '', value } } };
    const misplaced = { operation: 'op', requests: {}, responses, schemas: {} };
    expect(answered([misplaced])).toEqual([]);
  });
});

/** The schemas of every property of this name, at any depth. */
function findProperties(schema: unknown, name: string): { type?: string; maximum?: number }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const here = (schema as { properties?: Record<string, object> }).properties?.[name];
  const below = Object.values(schema).flatMap((each) => findProperties(each, name));
  return here === undefined ? below : [here, ...below];
}

describe('openapi.json', () => {
  const document = currentDocument();

  test('has each endpoint once, under its name', () => {
    const paths = document['paths'] as Record<string, Record<string, { operationId: string }>>;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    );
    const wanted = endpoints.map(
      ({ name, method, route }) => `${name} ${method.toLowerCase()} /${route.replaceAll('{*', '{')}`,
    );
    expect(new Set(operations)).toEqual(new Set(wanted));
    expect(operations).toHaveLength(endpoints.length);
  });

  test('is the same text each time it is made', () => {
    expect(JSON.stringify(currentDocument())).toBe(JSON.stringify(document));
  });

  test('takes no version of a record in a body whose next one would overflow the column', () => {
    const bodies = endpoints.flatMap(({ name, body }) =>
      body === undefined
        ? []
        : [[name, z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })] as const],
    );
    const maxima = bodies.flatMap(([name, schema]) =>
      findProperties(schema, 'version')
        .filter(({ type }) => type === 'integer')
        .map(({ maximum }) => [name, maximum]),
    );
    expect(maxima.length).toBeGreaterThan(10);
    expect(maxima.filter(([, maximum]) => maximum !== 2_147_483_646)).toEqual([]);
  });

  test('has a JSON Schema of the whole anamnesis', () => {
    const { schemas } = document['components'] as { schemas: Record<string, { properties?: object }> };
    expect(Object.keys(schemas['Anamnesis']?.properties ?? {})).toEqual(
      expect.arrayContaining([
        'patient',
        'complaint',
        'locations',
        'lesion',
        'symptoms',
        'history',
        'medications',
      ]),
    );
  });
});

const router = createRouter(
  [
    ...endpoints.map(({ name, method, route }) => registration(name, method, route)),
    registration('zz-not-found', 'GET', '{*path}'),
  ],
  '',
);

/** As main.ts registers it. */
function registration(name: string, method: string, route: string): RegisteredFunction {
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
  return { name, bindings: { request: { type: 'httpTrigger', direction: 'in', methods, route } } };
}

function methodsOf({ method }: AnyEndpoint): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function samplePath({ route }: AnyEndpoint): string {
  return `/${route.replaceAll(/\{[^}]+\}/g, '0193a8f0-0000-7000-8000-000000000000')}`;
}
