// docs/openapi.json is the only place of the recorded examples: they are read from it to be put into the next one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../../../src/endpoints.ts';
import type { AnyEndpoint } from '../../../src/lib/http/endpoint.ts';
import { createOpenApiDocument } from './document.ts';
import { type Example, type Recorded, shareExamples } from './examples.ts';

const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json');

type Content = Readonly<Record<string, { examples?: Readonly<Record<string, { $ref: string }>> }>>;
interface Operation {
  operationId: string;
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}
export interface DocumentWithExamples {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: {
    examples: Readonly<Record<string, Example>>;
    schemas: Readonly<Record<string, { examples?: readonly unknown[] }>>;
  };
}

/**
 * The examples of every operation that docs/openapi.json has.
 * @throws when it is missing or damaged.
 */
export function readDocumented(): Recorded[] {
  try {
    return documentedExamples(JSON.parse(readFileSync(file, 'utf8')) as DocumentWithExamples);
  } catch (error) {
    throw new Error(
      'docs/openapi.json cannot be read, and with it the recorded examples. Restore it (`git checkout HEAD docs/openapi.json`; either side of a merge will do), then run `npm run generate`.',
      { cause: error },
    );
  }
}

/** The examples of every operation of a document, by operation in place of its shared components. */
export function documentedExamples({ paths, components }: DocumentWithExamples): Recorded[] {
  const shownIn = (content: Content) =>
    Object.entries(content).map(([type, { examples = {} }]) => {
      const named = Object.entries(examples).map(([name, { $ref }]) => {
        const example = components.examples[$ref.slice($ref.lastIndexOf('/') + 1)];
        if (example === undefined) throw new Error(`${$ref} does not exist.`);
        return [name, example] as const;
      });
      return [type, Object.fromEntries(named)] as const;
    });
  const withExamples = ([, examples]: readonly [string, object]) => Object.keys(examples).length > 0;
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, requestBody, responses }) => ({
      operation: operationId,
      requests: Object.fromEntries(shownIn(requestBody?.content ?? {}).filter(withExamples)),
      responses: Object.fromEntries(
        Object.entries(responses)
          .map(([status, { content = {} }]) => {
            const shown: Record<string, Example> = Object.assign(
              {},
              ...shownIn(content).map(([, each]) => each),
            );
            return [status, shown] as const;
          })
          .filter(withExamples),
      ),
      schemas: schemasOf(operationId, components.schemas),
    }));
}

/** Swagger UI fills the parts of a form from their schemas only: the examples of those are an operation's as well. */
function schemasOf(
  operation: string,
  schemas: DocumentWithExamples['components']['schemas'],
): Record<string, unknown> {
  const fields = endpoints.find(({ name }) => name === operation)?.multipart?.fields ?? {};
  const shown = Object.values(fields).flatMap(({ json }) => {
    const id = json?.meta()?.id;
    const [example] = (id === undefined ? undefined : schemas[id]?.examples) ?? [];
    return id === undefined || example === undefined ? [] : [[id, example] as const];
  });
  return Object.fromEntries(shown);
}

/** The OpenAPI document of the app, with the examples that docs/openapi.json has. */
export function currentDocument(
  of: readonly AnyEndpoint[] = endpoints,
  examples: readonly Recorded[] = readDocumented(),
): Record<string, unknown> {
  return createOpenApiDocument(of, shareExamples(of, examples));
}
