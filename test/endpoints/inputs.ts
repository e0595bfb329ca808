import { createHash } from 'node:crypto';
import { createOpenApiDocument } from '../../dev/tools/openapi/document.ts';
import { problems } from '../../src/contract/problem.ts';
import { problemsOf } from '../../src/lib/http/endpoint-problems.ts';
import type { NamedScenario } from './read-scenarios.ts';

/**
 * A hash of what the recording of a scenario depends on: the scenario, the structure that is published of its endpoint,
 * and the titles of its problems. Descriptions are in no reply, and functions have another text in every tool.
 */
export function inputsOf({ endpoint, path: _path, ...scenario }: NamedScenario): string {
  const { paths, components } = createOpenApiDocument([endpoint], {
    shared: {},
    operations: {},
    schemas: {},
  });
  // Every problem of the service belongs to these; those of the endpoint are in `paths` and `titles`.
  const {
    Problem: _problem,
    ProblemCode: _code,
    ...schemas
  } = (components as { schemas: Record<string, unknown> }).schemas;
  const titles = problemsOf(endpoint).map((code) => problems[code].title);
  const text = JSON.stringify({ scenario, paths, schemas, titles }, (key, value: unknown) => {
    if (key === 'description' || (key === 'summary' && typeof value === 'string')) return undefined;
    return value;
  });
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
