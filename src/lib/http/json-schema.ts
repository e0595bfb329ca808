import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * Turns zod schemas into JSON Schema (2020-12, as OpenAPI 3.1 has it). Schemas with a `meta({ id })` become shared
 * components, so that generators give them good names.
 */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {};

  /**
   * @param io `input` for what clients send, `output` for what they get.
   * @throws when one id names two different schemas.
   */
  add(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // Inside a wrapper a schema with an id is referred to, at the root it would be written out.
    const wrapped = z.toJSONSchema(z.object({ schema }), {
      io,
      unrepresentable: 'throw',
      override: ({ zodSchema, jsonSchema }) => {
        // A field that is optional with a default reads better without the default being required.
        if (zodSchema._zod.def.type === 'object' && jsonSchema.required?.length === 0) {
          delete jsonSchema.required;
        }
      },
    }) as unknown as { properties: { schema: JsonSchema }; $defs?: Record<string, JsonSchema> };
    for (const [id, definition] of Object.entries(wrapped.$defs ?? {})) this.#keep(id, definition);
    return toComponents(wrapped.properties.schema);
  }

  #keep(id: string, definition: JsonSchema): void {
    const { id: _id, $schema: _schema, ...rest } = definition;
    const component = toComponents(rest);
    const known = this.components[id];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`two different schemas have the id ${id}`);
    }
    this.components[id] = component;
  }
}

function toComponents(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as JsonSchema;
}
