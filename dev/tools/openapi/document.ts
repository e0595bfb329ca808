import packageJson from '../../../package.json' with { type: 'json' };
import type { AnyEndpoint } from '../../../src/lib/http/endpoint.ts';
import { type JsonSchema, SchemaCollection } from './json-schema.ts';
import { headers, named, parameters, ProblemSchema, tags } from './components.ts';
import type { SharedExamples } from './examples.ts';
import { operation } from './operation.ts';

const description = `Dermagate stands between the apps of a dermatology service and its AI. Nothing here is validated for clinical use.

- **Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`; refused fields are named in \`errors\` by JSON Pointers.
- **Texts for people** come in English, Hebrew, Arabic and Spanish: \`?lang=\` or \`Accept-Language\`.
- **Bodies** are UTF-8 and need a \`Content-Length\`; unknown members are refused. Replies may gain members at any time: ignore unknown ones.
- **Every GET route answers HEAD**; another method at a known address returns 405 with \`Allow\`.
- **\`x-request-id\`** is in every reply and every log line. The gateway uses the one that you send.
- **Retries**: wait for \`Retry-After\`, else 1, 2, 4 … seconds; GET, DELETE, logout and uploads with an \`Idempotency-Key\` are safe to repeat. A 503 says nothing about the session: do not log the user out because of it.

The examples are recorded from a running gateway; their ids, times and tokens are samples.`;

/**
 * The OpenAPI 3.1 document of these endpoints with their recorded examples. Deterministic: equal arguments give equal
 * text.
 */
export function createOpenApiDocument(
  endpoints: readonly AnyEndpoint[],
  examples: SharedExamples,
): Record<string, unknown> {
  const schemas = new SchemaCollection();
  const problem = schemas.add(ProblemSchema, 'output');
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = `/${endpoint.route.replaceAll('{*', '{')}`;
    const method = endpoint.method.toLowerCase();
    const recorded = examples.operations[endpoint.name];
    paths[path] = { ...paths[path], [method]: operation(endpoint, schemas, problem, recorded) };
  }
  const read = new Set<string>(['x-request-id', ...endpoints.flatMap(({ reads = [] }) => reads)]);
  const used = Object.entries(parameters).filter(([name]) => read.has(name));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dermagate',
      version: packageJson.version,
      summary: 'Gateway in front of a skin-condition diagnosis system',
      description,
      contact: { name: 'The operator of the gateway that serves this document' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The host that serves this document' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { bearer },
      parameters: named(Object.fromEntries(used)),
      headers: named(headers),
      examples: examples.shared,
      schemas: withExamples(openReplies(paths, schemas.components), examples.schemas),
    },
  };
}

// Linters look for “RFC8725” in this description, spelled so.
const bearer = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'The `access_token` of registration, login or refresh; valid for 30 minutes. Validated as RFC8725 requires: algorithm, type, issuer, audience and times.',
};

function withExamples(
  components: Readonly<Record<string, JsonSchema>>,
  examples: SharedExamples['schemas'],
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(components)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => [name, name in examples ? { ...schema, examples: [examples[name]] } : schema]),
  );
}

/**
 * Opens the schemas that only replies contain: replies gain members. One that requests contain as well stays closed, so that
 * a check of a request finds its misspelt members.
 */
function openReplies(
  paths: Readonly<Record<string, Record<string, unknown>>>,
  components: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const within = (part: 'requestBody' | 'responses'): ReadonlySet<string> => {
    const reached = new Set(namesIn(operations.map((each) => (each as Record<string, unknown>)[part])));
    // A set visits what is added to it on the way.
    for (const name of reached) for (const next of namesIn(components[name])) reached.add(next);
    return reached;
  };
  const sent = within('requestBody');
  const replied = within('responses');
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [
      name,
      replied.has(name) && !sent.has(name) ? opened(schema) : schema,
    ]),
  );
}

const namesIn = (node: unknown): string[] =>
  [...(JSON.stringify(node) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name ?? '',
  );

const opened = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  ) as JsonSchema;
