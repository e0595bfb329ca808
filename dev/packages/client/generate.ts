// What `npm run generate` makes src/schema.ts with, from docs/openapi.json.
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
