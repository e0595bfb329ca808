import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../../../src/endpoints.ts';
import type { AnyEndpoint } from '../../../src/lib/http/endpoint.ts';
import { createOpenApiDocument } from './document.ts';
import { type Recorded, shareExamples } from './examples.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'test', 'endpoints');

/** Every recording there is, in the order of the paths. */
export function readRecorded(): Recorded[] {
  return globSync('**/*.recorded.json', { cwd: folder })
    .toSorted((a, b) => a.localeCompare(b))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded);
}

/** The OpenAPI document of the app, with the examples that were recorded of it. */
export function currentDocument(of: readonly AnyEndpoint[] = endpoints): Record<string, unknown> {
  return createOpenApiDocument(of, shareExamples(of, readRecorded()));
}
