/** A named example as OpenAPI has it. */
export interface Example {
  summary: string;
  value: unknown;
}

/** Names of shared examples by what they are called where they are shown. */
export type ExampleNames = Readonly<Record<string, string>>;

export interface OperationExamples {
  /** By content type. */
  requests: Readonly<Record<string, ExampleNames>>;
  /** By status. */
  responses: Readonly<Record<string, ExampleNames>>;
}

/**
 * Requests and replies of a real gateway, in openapi-examples.json: `npm run examples` records them, a test proves that
 * the gateway still answers so.
 */
export interface RecordedExamples {
  /** By the name of their component. */
  shared: Readonly<Record<string, Example>>;
  operations: Readonly<Record<string, OperationExamples>>;
  /** Values of schemas, by component name. */
  schemas: Readonly<Record<string, unknown>>;
}

/** The `examples` of a media type; nothing where none was recorded. */
export function exampleRefs(names: ExampleNames | undefined): { examples?: Record<string, object> } {
  if (names === undefined) return {};
  const refs = Object.entries(names).map(
    ([name, shared]) => [name, { $ref: `#/components/examples/${shared}` }] as const,
  );
  return { examples: Object.fromEntries(refs) };
}
