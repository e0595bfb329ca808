import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { refreshTokenLifetimeMs } from '../../../src/domain/identity/sessions/session.queries.ts';
import { limitKeys } from '../../../src/lib/configuration/limits.ts';
import { anonymousAiRules } from '../../../src/domain/intake/ai-calls/admit-ai-caller.ts';
import {
  loginRules,
  mailRules,
  registrationRules,
} from '../../../src/domain/platform/throttle/auth-limits.ts';
import { endpoints } from '../../../src/endpoints.ts';
import { accessTokenSeconds } from '../../../src/lib/auth/access-token.ts';
import { problemsOf } from '../../../src/lib/http/endpoint-problems.ts';
import { currentDocument } from './documented-examples.ts';
import { problems } from '../../../src/contract/problem-list.ts';
import { expectOfEach } from '../../../test/support/offenders.ts';

// The document as a product: what a reader, a generator and Swagger UI find in it.

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
}
interface MediaType {
  schema: Schema;
  examples?: Record<string, { $ref: string }>;
}
interface Reply {
  description: string;
  content?: Record<string, MediaType>;
}
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, Reply>;
}
interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    examples: Record<string, { summary: string; value: unknown }>;
    parameters: Record<string, { description: string }>;
    headers: Record<string, { description: string }>;
  };
}

const document = currentDocument() as unknown as Document;
const { schemas, examples } = document.components;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const byName = operations.map((operation) => [operation.operationId, operation] as const);
const mediaTypesOf = ({ requestBody, responses }: Operation) =>
  [requestBody, ...Object.values(responses)].flatMap((body) => Object.entries(body?.content ?? {}));
const exampleOf = ({ $ref }: { $ref: string }) => examples[$ref.split('/').at(-1) as string];

describe('examples', () => {
  // A JSON Schema with all components beside it, read by zod: an examiner that knows nothing of our own schemas.
  const validators = new Map<string, z.ZodType>();
  function validatorOf(schema: Schema): z.ZodType {
    const text = JSON.stringify(schema);
    const known = validators.get(text);
    if (known !== undefined) return known;
    const whole = JSON.stringify({ ...schema, $defs: schemas }).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    );
    // A path of ours is a reference, which zod takes for a whole address.
    const made = z.fromJSONSchema(
      JSON.parse(whole.replaceAll(',"format":"uri-reference"', '')) as Parameters<typeof z.fromJSONSchema>[0],
    );
    validators.set(text, made);
    return made;
  }

  test('the examiner tells a wrong example', () => {
    const refused = [
      [{ $ref: '#/components/schemas/Role' }, 'nurse'],
      [{ $ref: '#/components/schemas/Anamnesis' }, { patient: {} }],
      [{ $ref: '#/components/schemas/Problem' }, { code: 'no_such_code' }],
    ] as const;
    for (const [schema, value] of refused) expect(validatorOf(schema).safeParse(value).success).toBe(false);
  });

  test('fit the schemas that they stand beside', () =>
    expectOfEach(byName, (operation) => {
      for (const [, { schema, examples: named = {} }] of mediaTypesOf(operation)) {
        for (const [name, ref] of Object.entries(named)) {
          const example = exampleOf(ref);
          expect(validatorOf(schema).safeParse(example?.value).error, name).toBeUndefined();
          expect(example?.summary).toMatch(/^[A-Z].*[^.]$/);
        }
      }
    }));

  /** Successes that need a service which the recordings do not have: the one that knows a clinic's members. */
  const unshown: Readonly<Record<string, string>> = { v1BackofficeTriggerEligibility: '202' };

  test('show the request, every success and every problem; else `npm run generate`', () =>
    expectOfEach(byName, (operation, name) => {
      const { [unshown[name] ?? '']: _unshown, ...responses } = operation.responses;
      const without = mediaTypesOf({ ...operation, responses })
        .filter(([type]) => type.includes('json') || type === 'multipart/form-data')
        .filter(([, { examples: named = {} }]) => Object.keys(named).length === 0)
        .map(([type]) => type);
      expect(without).toEqual([]);

      const endpoint = endpoints.find((each) => each.name === name);
      const shown = Object.values(operation.responses).flatMap(({ content = {} }) =>
        Object.keys(content['application/problem+json']?.examples ?? {}),
      );
      // GET /health answers 503 in its own shape.
      const documented = endpoint === undefined ? [] : problemsOf(endpoint);
      const wanted = documented.filter((code) => !(name === 'getHealth' && problems[code].status === 503));
      expect(shown.toSorted()).toEqual(wanted.toSorted());
    }));

  test('show texts in each language', () => {
    const texts = JSON.stringify(examples);
    for (const script of [/[א-ת]{3}/, /[ء-ي]{3}/, /¿/]) expect(texts).toMatch(script);
  });

  test('hold nothing that a scanner for secrets would stop, and no component that is not shown', () => {
    const text = JSON.stringify(examples);
    // As gitleaks knows a JWT: both parts longer than a sample needs.
    expect(text).not.toMatch(/ey[a-zA-Z0-9]{17,}\.ey[a-zA-Z0-9/\\_-]{17,}\./);
    expect(text).not.toMatch(/127\.0\.0\.1|localhost/);
    const used = JSON.stringify(document.paths);
    expect(Object.keys(examples).filter((name) => !used.includes(`/examples/${name}"`))).toEqual([]);
  });
});

describe('prose', () => {
  test('every operation says what it is for, who may call it, what is recorded, and when it fails', () =>
    expectOfEach(byName, (operation) => {
      expect(operation.summary).toMatch(/^[A-Z].{5,90}[^.]$/);
      expect(operation.description.split('\n\n- **Who may call**')[0]?.length).toBeGreaterThan(20);
      expect(operation.description).toContain('- **Who may call**: ');
      expect(operation.description).toContain('- **Recorded**: ');
      for (const { description } of Object.values(operation.responses)) expect(description).not.toBe('');
    }));

  test('every tag that is used is explained, and no other', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags));
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used);
  });

  test('limits and lifetimes are those that hold', () => {
    const key = () => Buffer.alloc(0);
    const limits = z.object(limitKeys).parse({});
    const textOf = (name: string) =>
      operations.find(({ operationId }) => operationId === name)?.description ?? '';
    const rulesOf = {
      logIn: loginRules(limits, key, { email: '', ipPrefix: '', isKnown: false }),
      registerUser: registrationRules(limits, key, '', true),
      requestPasswordReset: mailRules(limits, key, 'reset_mail', ''),
      checkImage: anonymousAiRules(limits, key, ''),
    };
    for (const [name, rules] of Object.entries(rulesOf)) {
      for (const { limit } of rules) expect(textOf(name)).toMatch(new RegExp(`\\b${limit}\\b`));
    }
    const prose = JSON.stringify(document);
    expect(prose).toContain(`valid for ${accessTokenSeconds / 60} minutes`);
    expect(prose).toContain(`valid for ${refreshTokenLifetimeMs / 86_400_000} days`);
  });

  test('every problem says when it happens', () => {
    for (const { description } of Object.values(problems)) expect(description).toMatch(/^[A-Z`0-9].*\.$/);
  });
});

describe('schemas', () => {
  const described = (schema: Schema): boolean =>
    schema.description !== undefined ||
    (schema.$ref !== undefined && described(schemas[schema.$ref.split('/').at(-1) as string] ?? {}));

  test('each is described, and so is each of its members', () =>
    expectOfEach(Object.entries(schemas), (schema) => {
      expect(schema.description).toMatch(/\S{2}/);
      const silent = Object.entries(schema.properties ?? {}).filter(([, member]) => !described(member));
      expect(silent.map(([member]) => member)).toEqual([]);
    }));

  test('every code that a member of a problem names is one', () => {
    const texts = Object.values(schemas['Problem']?.properties ?? {}).map(
      ({ description = '' }) => /^With (.*?):/.exec(description)?.[1] ?? '',
    );
    const named = texts.flatMap((text) => [...text.matchAll(/`(\w+)`/g)].map(([, code]) => code ?? ''));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((code) => !(code in problems))).toEqual([]);
  });

  test('no object of a reply is closed, for replies may gain members, unless requests contain it as well', () => {
    const closed = new Set<string>();
    const seen = new Set<string>();
    const visit = (node: unknown, where: string): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('additionalProperties' in node && node.additionalProperties === false) closed.add(where);
      for (const [key, value] of Object.entries(node)) {
        const name =
          key === '$ref' && typeof value === 'string' ? /schemas\/(\w+)$/.exec(value)?.[1] : undefined;
        if (name === undefined) visit(value, where);
        else if (!seen.has(name)) {
          seen.add(name);
          visit(schemas[name], name);
        }
      }
    };
    for (const { operationId, requestBody } of operations) visit(requestBody, operationId);
    const ofRequests = new Set(closed);
    expect([...ofRequests]).toEqual(expect.arrayContaining(['CaseUpdate', 'PartialAnamnesis']));
    closed.clear();
    seen.clear();
    for (const { operationId, responses } of operations) visit(responses, operationId);
    expect(seen.size).toBeGreaterThan(50);
    expect([...closed].filter((name) => !ofRequests.has(name))).toEqual([]);
  });

  test('names are good type names', () => {
    const odd = Object.keys(schemas).filter((name) => !/^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/.test(name));
    expect(odd).toEqual([]);
  });

  test('every list of values is a component with a name', () => {
    const inline = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, member]) => [member, member.items, ...(member.anyOf ?? [])].some((each) => each?.enum))
        .map(([member]) => `${name}.${member}`),
    );
    expect(inline).toEqual([]);
  });
});
