/** An Example Object of OpenAPI. */
export interface Example {
  summary: string;
  value: unknown;
}

/** Names of shared examples by their display name in an operation. */
export type ExampleNames = Readonly<Record<string, string>>;

export interface OperationExamples {
  /** By content type. */
  requests: Readonly<Record<string, ExampleNames>>;
  /** By status. */
  responses: Readonly<Record<string, ExampleNames>>;
}

/**
 * Requests and replies of a real gateway, in examples.json: `npm run examples` records them, and a test proves that the
 * gateway still sends the same replies.
 */
export interface RecordedExamples {
  /** By the name of their component. */
  shared: Readonly<Record<string, Example>>;
  operations: Readonly<Record<string, OperationExamples>>;
  /** Values of schemas, by component name. */
  schemas: Readonly<Record<string, unknown>>;
}

/** The shared examples that at least one operation refers to. */
export function referredTo({ shared, operations }: RecordedExamples): RecordedExamples['shared'] {
  const shown = new Set(
    Object.values(operations).flatMap(({ requests, responses }) =>
      [...Object.values(requests), ...Object.values(responses)].flatMap((names) => Object.values(names)),
    ),
  );
  return Object.fromEntries(Object.entries(shared).filter(([name]) => shown.has(name)));
}

/** The `examples` of a media type; an empty object if none were recorded. */
export function exampleRefs(names: ExampleNames | undefined): { examples?: Record<string, object> } {
  if (names === undefined) return {};
  const refs = Object.entries(names).map(
    ([name, shared]) => [name, { $ref: `#/components/examples/${shared}` }] as const,
  );
  return { examples: Object.fromEntries(refs) };
}
