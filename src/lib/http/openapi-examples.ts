/** A named example as OpenAPI has it. */
export interface Example {
  summary: string;
  value: unknown;
}

type Examples = Readonly<Record<string, Example>>;

/** What a recording of one operation holds; each named example is the name of a shared one. */
export interface OperationExamples {
  /** Names by content type of the request. */
  requests?: Readonly<Record<string, readonly string[]>>;
  /** Names by status. */
  responses: Readonly<Record<string, readonly string[]>>;
}

/**
 * Requests and replies of a real gateway, in openapi-examples.json: `npm run examples` records them, a test proves that
 * the gateway still answers so.
 */
export interface RecordedExamples {
  shared: Examples;
  operations: Readonly<Record<string, OperationExamples>>;
  /** Values of schemas, by component name. */
  schemas: Readonly<Record<string, unknown>>;
}

export const noExamples: RecordedExamples = { shared: {}, operations: {}, schemas: {} };

export function exampleRefs(examples: OperationExamples | undefined, status: number) {
  return refs(examples?.responses[status]);
}

export function requestExampleRefs(examples: OperationExamples | undefined, contentType: string) {
  return refs(examples?.requests?.[contentType]);
}

function refs(names: readonly string[] = []): { examples?: Record<string, object> } {
  if (names.length === 0) return {};
  return {
    examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
  };
}
