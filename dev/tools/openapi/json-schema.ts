import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * Turns zod schemas into JSON Schema 2020-12, the dialect of OpenAPI 3.1. Schemas with a `meta({ id })` become shared
 * components, so that generators give them good names.
 */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {};

  /**
   * @param io `input` for what clients send, `output` for what they get.
   * @throws when one id names two different schemas.
   */
  add(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // zod refers to a schema with an id only below the root; at the root it would inline it.
    const wrapped = z.toJSONSchema(z.object({ schema }), {
      io,
      unrepresentable: 'throw',
      override: ({ zodSchema, jsonSchema }) => simplify(zodSchema, jsonSchema, io),
    }) as unknown as { properties: { schema: JsonSchema }; $defs?: Record<string, JsonSchema> };
    for (const [id, definition] of Object.entries(wrapped.$defs ?? {})) this.keep(id, definition);
    return toComponents(wrapped.properties.schema);
  }

  /** The component that a schema refers to, or the schema itself if it is not a reference. */
  resolve(schema: JsonSchema): JsonSchema {
    const { $ref } = schema;
    return (typeof $ref === 'string' && this.components[$ref.split('/').at(-1) ?? '']) || schema;
  }

  /** @throws when the id already names another schema. */
  keep(id: string, definition: JsonSchema): JsonSchema {
    const { id: _id, $schema: _schema, ...rest } = definition;
    const component = toComponents(rest);
    const known = this.components[id];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`two different schemas have the id ${id}`);
    }
    this.components[id] = component;
    return { $ref: `#/components/schemas/${id}` };
  }
}

/** Removes keywords that tell a reader nothing and confuse generators. */
function simplify(
  zodSchema: z.core.$ZodTypes,
  jsonSchema: z.core.JSONSchema.BaseSchema,
  io: 'input' | 'output',
): void {
  const { def } = zodSchema._zod;
  if (def.type === 'object') {
    // An empty list states nothing, and JSON Schema before draft 6 forbids it.
    if (jsonSchema.required?.length === 0) delete jsonSchema.required;
    // Replies may gain members: clients ignore unknown ones.
    if (io === 'output' && def.catchall === undefined) delete jsonSchema.additionalProperties;
  }
  // The format is enough; the pattern is zod's implementation of it.
  if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.type === 'integer') {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  }
}

function toComponents(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as JsonSchema;
}
