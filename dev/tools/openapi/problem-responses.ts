import type { ProblemCode } from '../../../src/contract/problem.ts';
import { problems } from '../../../src/contract/problem-list.ts';
import type { AnyEndpoint } from '../../../src/lib/http/endpoint.ts';
import { problemsOf } from '../../../src/lib/http/endpoint-problems.ts';
import type { HeaderName } from '../../../src/lib/http/documented-facts.ts';
import { headerRefs } from './components.ts';
import { type OperationExamples, exampleRefs } from './examples.ts';

const withRetryAfter = new Set<ProblemCode>([
  'live_unavailable',
  'stream_limit',
  'rate_limited',
  'busy',
  'unavailable',
  'ai_unavailable',
  'ai_timeout',
  'idempotency_in_progress',
]);

/** The problem responses of an endpoint by status, except for `taken`, the statuses of its own replies. */
export function problemResponses(
  endpoint: AnyEndpoint,
  taken: ReadonlySet<number>,
  problem: object,
  examples: OperationExamples | undefined,
): Record<string, object> {
  const byStatus = Map.groupBy(problemsOf(endpoint), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !taken.has(status))
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map(describe).join('\n'),
          headers: headerRefs('x-request-id', ...headersOf(endpoint, status, codes)),
          content: {
            'application/problem+json': { schema: problem, ...exampleRefs(examples?.responses[status]) },
          },
        },
      ]),
  );
}

function headersOf({ quota }: AnyEndpoint, status: number, codes: readonly ProblemCode[]): HeaderName[] {
  return [
    ...(quota !== undefined && codes.includes('rate_limited')
      ? (['RateLimit', 'RateLimit-Policy'] as const)
      : []),
    ...(codes.some((code) => withRetryAfter.has(code)) ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 416 ? (['Content-Range'] as const) : []),
  ];
}

function describe(code: ProblemCode): string {
  return `- \`${code}\`: ${problems[code].title}. ${problems[code].description}`;
}
