import type { z } from 'zod';
import type { Access, AnyEndpoint } from '../../../src/lib/http/endpoint.ts';
import type { JsonSchema, SchemaCollection } from './json-schema.ts';
import type { MultipartSpec } from '../../../src/lib/http/multipart-spec.ts';
import { headerRefs, parameterRef } from './components.ts';
import { type ExampleNames, type OperationExamples, exampleRefs } from './examples.ts';
import { operationDescription } from './prose.ts';
import { problemResponses } from './problem-responses.ts';

/** One endpoint as an OpenAPI operation; its schemas go into `schemas`. */
export function operation(
  endpoint: AnyEndpoint,
  schemas: SchemaCollection,
  problem: JsonSchema,
  examples: OperationExamples | undefined,
): JsonSchema {
  const answers = successes(endpoint, schemas, examples);
  const taken = new Set(Object.keys(answers).map(Number));
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: operationDescription(endpoint),
    security: security[endpoint.auth],
    parameters: parametersOf(endpoint, schemas),
    ...requestBody(endpoint, schemas, examples),
    responses: { ...answers, ...problemResponses(endpoint, taken, problem, examples) },
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

function parametersOf({ route, params, query, reads = [] }: AnyEndpoint, schemas: SchemaCollection) {
  return [
    ...ownParameters(params, 'path', schemas).map((parameter) =>
      // OpenAPI has no parameter that takes the rest of a path; generators know this extension for it.
      route.includes(`{*${parameter.name}}`) ? { ...parameter, 'x-ms-skip-url-encoding': true } : parameter,
    ),
    ...ownParameters(query, 'query', schemas),
    ...reads.map(parameterRef),
    parameterRef('x-request-id'),
  ];
}

function ownParameters(object: z.ZodType | undefined, place: 'path' | 'query', schemas: SchemaCollection) {
  if (object === undefined) return [];
  const { properties = {}, required = [] } = schemas.add(object, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description: description ?? schemas.resolve(schema)['description'],
    schema,
  }));
}

function requestBody(
  { body, bodyDocs, multipart }: AnyEndpoint,
  schemas: SchemaCollection,
  examples: OperationExamples | undefined,
) {
  const json = bodyDocs ?? body;
  const content = {
    ...(json !== undefined && {
      'application/json': {
        schema: schemas.add(json, 'input'),
        ...exampleRefs(examples?.requests['application/json']),
      },
    }),
    ...(multipart !== undefined && {
      'multipart/form-data': {
        ...formContent(multipart, schemas),
        ...exampleRefs(examples?.requests['multipart/form-data']),
      },
    }),
  };
  return Object.keys(content).length === 0 ? {} : { requestBody: { required: true, content } };
}

/**
 * OpenAPI 3.1 marks files by `contentMediaType`; generators and Swagger UI still look for `format: binary` of 3.0.
 */
const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

/** A form as an object with a property for each part. */
function formContent({ id, description, files, fields }: MultipartSpec, schemas: SchemaCollection) {
  const fileParts = Object.entries(files).map(([name, { description, maxCount }]) => {
    const schema = maxCount === 1 ? file : { type: 'array', items: file, minItems: 1, maxItems: maxCount };
    return [name, { ...schema, description }] as const;
  });
  const fieldParts = Object.entries(fields).map(([name, { description, json }]) => {
    const schema = json === undefined ? { type: 'string' } : schemas.add(json, 'input');
    return [name, { ...schema, description }] as const;
  });
  const required = Object.entries({ ...files, ...fields }).filter(([, part]) => part.required);
  const schema = schemas.keep(id, {
    type: 'object',
    description,
    properties: Object.fromEntries([...fileParts, ...fieldParts]),
    required: required.map(([name]) => name),
    additionalProperties: false,
  });
  const encoding = Object.fromEntries([
    ...fileParts.map(([name]) => [name, { contentType: 'image/jpeg, image/png' }]),
    ...Object.entries(fields)
      .filter(([, { json }]) => json !== undefined)
      .map(([name]) => [name, { contentType: 'application/json' }]),
  ]);
  return { schema, encoding };
}

function successes(
  { reply, sends = [], quota }: AnyEndpoint,
  schemas: SchemaCollection,
  examples: OperationExamples | undefined,
): Record<string, object> {
  const ofQuota = quota === undefined ? [] : (['RateLimit', 'RateLimit-Policy'] as const);
  const headers = headerRefs('x-request-id', ...ofQuota, ...sends);
  const schema = 'body' in reply ? reply.body : 'raw' in reply ? reply.rawSchema : undefined;
  const body = schema && schemas.add(schema, 'output');
  const response = (status: number, description: string) => ({
    description,
    headers: { ...headers, ...(status === 206 && headerRefs('Content-Range')) },
    ...(body !== undefined &&
      status !== 304 && {
        content: { 'application/json': { schema: body, ...exampleRefs(examples?.responses[status]) } },
      }),
    ...('raw' in reply &&
      body === undefined &&
      status !== 304 && {
        content: rawContent([reply.raw, ...(reply.otherTypes ?? [])], examples?.responses[status]),
      }),
  });
  const others = [
    ...('alternative' in reply && reply.alternative !== undefined
      ? [[reply.alternative.status, reply.alternative.description] as const]
      : []),
    ...Object.entries(('raw' in reply && reply.alternatives) || {}).map(
      ([status, description]) => [Number(status), description] as const,
    ),
  ];
  return Object.fromEntries(
    [[reply.status, reply.description] as const, ...others].map(([status, description]) => [
      String(status),
      response(status, description),
    ]),
  );
}

/** Bytes or text as they are; recorded are only replies in JSON. */
function rawContent([first = '', ...others]: readonly string[], recorded: ExampleNames | undefined) {
  const own = { schema: first.startsWith('text/') ? { type: 'string' } : file };
  const json = { schema: { type: 'object' }, ...exampleRefs(recorded) };
  return Object.fromEntries(
    [first, ...others].map((each) => [each.split(';')[0], each === 'application/json' ? json : own] as const),
  );
}
