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

/** The shared examples that an operation shows; of two recorded under one name the later one counts. */
export function referredTo({ shared, operations }: RecordedExamples): RecordedExamples['shared'] {
  const shown = new Set(
    Object.values(operations).flatMap(({ requests, responses }) =>
      [...Object.values(requests), ...Object.values(responses)].flatMap((names) => Object.values(names)),
    ),
  );
  return Object.fromEntries(Object.entries(shared).filter(([name]) => shown.has(name)));
}

/** The `examples` of a media type; nothing where none was recorded. */
export function exampleRefs(names: ExampleNames | undefined): { examples?: Record<string, object> } {
  if (names === undefined) return {};
  const refs = Object.entries(names).map(
    ([name, shared]) => [name, { $ref: `#/components/examples/${shared}` }] as const,
  );
  return { examples: Object.fromEntries(refs) };
}
