import { z } from 'zod';
import { type ProblemCode, problems } from '../problem.ts';
import type { Access, AnyEndpoint } from './endpoint.ts';
import { problemsOf } from './endpoint-problems.ts';
import { type JsonSchema, SchemaCollection } from './json-schema.ts';
import { languages } from './language.ts';
import type { MultipartSpec } from './multipart.ts';

const FieldErrorSchema = z
  .object({
    pointer: z.string().meta({ description: 'RFC 6901 JSON Pointer into what was sent' }),
    code: z.string().meta({ description: 'Stable; for programs' }),
    message: z.string().meta({ description: 'Prose; for people' }),
  })
  .meta({ id: 'FieldError' });

const ProblemSchema = z
  .object({
    type: z.string().meta({ description: 'A URN that names the code' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    code: z
      .enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]])
      .meta({ id: 'ProblemCode', description: 'Stable; for programs' }),
    requestId: z.string(),
    errors: z.array(FieldErrorSchema).optional().meta({ description: 'Every refused field' }),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details' });

const tags = {
  Health: 'Whether the service is well',
  Authentication: 'Accounts, sessions and tokens',
  Diagnosis: 'A photo and a questionnaire in, a diagnosis out',
  Images: 'Photos, stored once and seen only by those who may',
  AI: 'Questionnaire, red flags, triage and image verdict, one by one',
  Discovery: 'This documentation',
};

/** The OpenAPI 3.1 document of these endpoints. Deterministic: equal endpoints give equal text. */
export function createOpenApiDocument(endpoints: readonly AnyEndpoint[]): Record<string, unknown> {
  const schemas = new SchemaCollection();
  const problem = schemas.add(ProblemSchema, 'output');
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = `/${endpoint.route}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, schemas, problem) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dermagate',
      version: '1.0.0',
      summary: 'Gateway in front of a skin-condition diagnosis system',
      description:
        'Errors are `application/problem+json` with a stable `code`. Texts come in en, he, ar and es. ' +
        'Nothing here is validated for clinical use.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The host that serves this document' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      parameters,
      headers,
      schemas: Object.fromEntries(
        Object.entries(schemas.components).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    },
  };
}

const parameters = {
  RequestId: {
    name: 'x-request-id',
    in: 'header',
    description: 'Comes back in the reply and in every log line; made up where absent',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  Lang: {
    name: 'lang',
    in: 'query',
    description: 'Language of texts; before `Accept-Language`. Unknown ones fall back to English.',
    schema: { type: 'string', enum: languages },
  },
  Tenant: {
    name: 'tenant',
    in: 'query',
    description: 'Slug of the tenant, for callers without a token; `X-Tenant` does the same',
    schema: { type: 'string', default: 'default' },
  },
  IdempotencyKey: {
    name: 'idempotency-key',
    in: 'header',
    description: 'A retry with the same key within 24 hours gets the first answer',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
  },
};

const headers = {
  RequestId: { description: 'Id of this request', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before trying again', schema: { type: 'integer' } },
};

const replyHeaders = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };

function operation(endpoint: AnyEndpoint, schemas: SchemaCollection, problem: JsonSchema) {
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description !== undefined && { description: endpoint.description }),
    security: security[endpoint.auth],
    parameters: [...pathParameters(endpoint, schemas), ...queryParameters(endpoint, schemas)],
    ...requestBody(endpoint, schemas),
    responses: { ...successes(endpoint, schemas), ...failures(endpoint, problem) },
  };
}

const security: Record<Access, unknown[]> = {
  public: [],
  optional: [{ bearer: [] }, {}],
  'any-unless-public-ai': [{ bearer: [] }, {}],
  any: [{ bearer: [] }],
  'physician-level': [{ bearer: [] }],
  'admin-level': [{ bearer: [] }],
};

function pathParameters({ params }: AnyEndpoint, schemas: SchemaCollection) {
  return Object.entries(propertiesOf(params, schemas).properties).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema,
  }));
}

function queryParameters({ query, reads = [] }: AnyEndpoint, schemas: SchemaCollection) {
  const { properties, required } = propertiesOf(query, schemas);
  const own = Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
  const shared = [
    ...(reads.includes('lang') ? ['Lang'] : []),
    ...(reads.includes('tenant') ? ['Tenant'] : []),
    ...(reads.includes('idempotency-key') ? ['IdempotencyKey'] : []),
    'RequestId',
  ];
  return [...own, ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

function propertiesOf(schema: z.ZodType | undefined, schemas: SchemaCollection) {
  const object = schema === undefined ? {} : schemas.add(schema, 'input');
  const { properties = {}, required = [] } = object as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return { properties, required };
}

function requestBody(endpoint: AnyEndpoint, schemas: SchemaCollection) {
  const { body, bodyDocs, multipart } = endpoint;
  const json = bodyDocs ?? body;
  const content = {
    ...(multipart !== undefined && { 'multipart/form-data': formContent(multipart, schemas) }),
    ...(json !== undefined && { 'application/json': { schema: schemas.add(json, 'input') } }),
  };
  return Object.keys(content).length === 0 ? {} : { requestBody: { required: true, content } };
}

function formContent(multipart: MultipartSpec, schemas: SchemaCollection) {
  const files = Object.entries(multipart.files).map(([name, { description, maxCount }]) => {
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    const schema = maxCount === 1 ? file : { type: 'array', items: file, minItems: 1, maxItems: maxCount };
    return [name, { ...schema, description }] as const;
  });
  const fields = Object.entries(multipart.fields).map(([name, { description, json }]) => {
    const content = json && {
      contentMediaType: 'application/json',
      contentSchema: schemas.add(json, 'input'),
    };
    return [name, { type: 'string', description, ...content }] as const;
  });
  const all = Object.entries({ ...multipart.files, ...multipart.fields });
  const schema = {
    type: 'object',
    properties: Object.fromEntries([...files, ...fields]),
    required: all.filter(([, { required }]) => required).map(([name]) => name),
    additionalProperties: false,
  };
  const encoding = Object.fromEntries(
    files.map(([name]) => [name, { contentType: 'image/jpeg, image/png' }]),
  );
  return { schema, encoding };
}

function successes({ reply }: AnyEndpoint, schemas: SchemaCollection) {
  const content =
    'body' in reply
      ? { 'application/json': { schema: schemas.add(reply.body, 'output') } }
      : 'raw' in reply
        ? { [reply.raw.split(';')[0] as string]: { schema: { type: 'string' } } }
        : undefined;
  const response = (description: string) => ({
    description,
    headers: replyHeaders,
    ...(content !== undefined && { content }),
  });
  const alternative = 'alternative' in reply ? reply.alternative : undefined;
  return {
    [reply.status]: response(reply.description),
    ...(alternative && { [alternative.status]: response(alternative.description) }),
    ...Object.fromEntries(
      Object.entries(('raw' in reply && reply.alternatives) || {}).map(([status, description]) => [
        status,
        status === '304' ? { description, headers: replyHeaders } : response(description),
      ]),
    ),
  };
}

function failures(endpoint: AnyEndpoint, problem: JsonSchema) {
  const byStatus = Map.groupBy(problemsOf(endpoint), (code) => problems[code].status);
  const taken = 'alternative' in endpoint.reply ? endpoint.reply.alternative?.status : undefined;
  const entries = [...byStatus]
    .filter(([status]) => status !== taken)
    .toSorted(([a], [b]) => a - b)
    .map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join(' · '),
        headers: {
          ...replyHeaders,
          ...([429, 502, 503, 504].includes(status) && {
            'retry-after': { $ref: '#/components/headers/RetryAfter' },
          }),
        },
        content: { 'application/problem+json': { schema: problem } },
      },
    ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
