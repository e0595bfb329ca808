// What a JSON Schema of a parameter asks for, as far as a form can show it; everything else is edited as JSON.

/** A JSON Schema (2020-12), as zod writes it. */
export interface JsonSchema {
  type?: string;
  enum?: readonly unknown[];
  $ref?: string;
  $defs?: Readonly<Record<string, JsonSchema>>;
  anyOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema | false;
  prefixItems?: readonly JsonSchema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

export interface NumberKind {
  kind: 'number';
  isInteger: boolean;
  min: number | undefined;
  max: number | undefined;
  /** Whether `min` itself is too small. */
  isAbove: boolean;
}

interface TextKind {
  kind: 'text';
  minLength: number;
  maxLength: number | undefined;
  pattern: string | undefined;
  /** An empty entry is null. */
  isNullable: boolean;
}

export interface PartsKind {
  kind: 'parts';
  parts: readonly { name: string; kind: ValueKind }[];
  /** A list with one value for each part, instead of an object. */
  isTuple: boolean;
  /** The whole may be null. */
  isNullable: boolean;
}

export type ValueKind =
  | { kind: 'boolean' }
  | NumberKind
  | TextKind
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'choices'; options: readonly string[]; min: number }
  | { kind: 'list'; of: NumberKind | TextKind; max: number | undefined }
  | PartsKind
  | { kind: 'json' };

export type Definitions = Readonly<Record<string, JsonSchema>>;
const json: ValueKind = { kind: 'json' };

/** @param defs what `$ref` in the schema refers to. */
export function kindOf(given: JsonSchema, defs: Definitions): ValueKind {
  const schema = resolved(given, defs);
  if (schema.anyOf !== undefined) return nullableKindOf(schema.anyOf, defs);
  if (schema.enum !== undefined) return { kind: 'choice', options: schema.enum.map(String) };
  switch (schema.type) {
    case 'boolean':
      return { kind: 'boolean' };
    case 'number':
    case 'integer':
      return numberKindOf(schema);
    case 'string':
      return textKindOf(schema);
    case 'array':
      return listKindOf(schema, defs);
    case 'object':
      return objectKindOf(schema, defs);
    default:
      return json;
  }
}

function resolved(schema: JsonSchema, defs: Definitions): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return (name === undefined ? undefined : defs[name]) ?? schema;
}

function nullableKindOf(choices: readonly JsonSchema[], defs: Definitions): ValueKind {
  const others = choices.filter(({ type }) => type !== 'null');
  const [only] = others;
  if (only === undefined || others.length > 1 || others.length === choices.length) return json;
  const kind = kindOf(only, defs);
  return kind.kind === 'text' || kind.kind === 'parts' ? { ...kind, isNullable: true } : json;
}

const numberKindOf = (schema: JsonSchema): NumberKind => ({
  kind: 'number',
  isInteger: schema.type === 'integer',
  min: schema.minimum ?? schema.exclusiveMinimum,
  max: schema.maximum,
  isAbove: schema.minimum === undefined && schema.exclusiveMinimum !== undefined,
});

const textKindOf = ({ minLength = 0, maxLength, pattern }: JsonSchema): TextKind => ({
  kind: 'text',
  minLength,
  maxLength,
  pattern,
  isNullable: false,
});

function listKindOf(
  { items, prefixItems, minItems = 0, maxItems }: JsonSchema,
  defs: Definitions,
): ValueKind {
  if (prefixItems !== undefined) {
    const parts = prefixItems.map((each, index) => ({ name: String(index), kind: kindOf(each, defs) }));
    return areSimple(parts) ? { kind: 'parts', parts, isTuple: true, isNullable: false } : json;
  }
  const of = items ? kindOf(items, defs) : json;
  if (of.kind === 'choice') return { kind: 'choices', options: of.options, min: minItems };
  return of.kind === 'number' || of.kind === 'text' ? { kind: 'list', of, max: maxItems } : json;
}

function objectKindOf({ properties = {} }: JsonSchema, defs: Definitions): ValueKind {
  const parts = Object.entries(properties).map(([name, each]) => ({ name, kind: kindOf(each, defs) }));
  if (parts.length === 0 || !areSimple(parts)) return json;
  return { kind: 'parts', parts, isTuple: false, isNullable: false };
}

/** One level is clear in a form; what is deeper is not. */
const areSimple = (parts: PartsKind['parts']): boolean =>
  parts.every(({ kind: { kind } }) => ['boolean', 'number', 'text', 'choice'].includes(kind));
