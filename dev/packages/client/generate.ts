// Makes src/schema.ts and src/operations.ts from docs/openapi.json. They are not in git: dev/run/run.mjs runs this file
// when they are missing or older.
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, {
  astToString,
  COMMENT_HEADER,
  oapiRef,
  type SchemaObject,
  tsUnion,
  UNDEFINED,
} from 'openapi-typescript';
import ts from 'typescript';

/** A part of a multipart body has the type of the caller's value: a file is a Blob, JSON text the value that it encodes. */
function typeOfPart(schema: SchemaObject): ts.TypeNode | undefined {
  const { contentMediaType, contentSchema } = schema as {
    contentMediaType?: string;
    contentSchema?: { $ref: string };
  };
  if (contentMediaType === 'application/octet-stream') return ts.factory.createTypeReferenceNode('Blob');
  if (contentSchema !== undefined) return oapiRef(contentSchema.$ref);
  return undefined;
}

/** Undefined counts as left out, so that callers with `exactOptionalPropertyTypes` need no conditional spread. */
function orUndefined(property: ts.PropertySignature): ts.PropertySignature {
  const { modifiers, name, questionToken, type } = property;
  if (questionToken === undefined || type === undefined) return property;
  return ts.factory.updatePropertySignature(
    property,
    modifiers,
    name,
    questionToken,
    tsUnion([type, UNDEFINED]),
  );
}

/** The types of everything that `openapi` (an OpenAPI 3.1 document as JSON) describes, as TypeScript. */
export async function schemaOf(openapi: string): Promise<string> {
  const types = await openapiTS(openapi, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A request may omit a field with a default.
    defaultNonNullable: false,
    transform: typeOfPart,
    transformProperty: orUndefined,
    silent: true,
  });
  return COMMENT_HEADER + astToString(types);
}

interface Paths {
  paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>;
}

/** Method and path of every operation by its id, as TypeScript. */
export function operationsOf(openapi: string): string {
  const { paths } = JSON.parse(openapi) as Paths;
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `  ${operationId}: ['${method}', '${path}'],`),
  );
  return [
    '// Made from docs/openapi.json: see generate.ts.',
    'export const operations = {',
    ...lines,
    '} as const;',
    '',
  ].join('\n');
}

const project = join(import.meta.dirname, '..', '..', '..');

/** Writes both files. Safe beside another process that does the same: each file appears complete. */
export async function makeClientTypes(root = project): Promise<void> {
  const document = join(root, 'docs', 'openapi.json');
  // As old as what they are made from, so that a document that changes meanwhile is newer.
  const times = [document, import.meta.filename].map((file) => statSync(file).mtimeMs);
  const time = new Date(Math.ceil(Math.max(...times)));
  const openapi = readFileSync(document, 'utf8');
  const texts = { 'operations.ts': operationsOf(openapi), 'schema.ts': await schemaOf(openapi) };
  for (const [name, text] of Object.entries(texts)) {
    const file = join(root, 'dev', 'packages', 'client', 'src', name);
    const unfinished = `${file}.${randomUUID()}`;
    writeFileSync(unfinished, text);
    utimesSync(unfinished, time, time);
    renameSync(unfinished, file);
  }
}

if (import.meta.main) await makeClientTypes();
