// The share of an instance's memory that request bodies may take, and whether an app's settings stay below it.
import type { FunctionInfo } from './router.ts';

/** Flex Consumption's defaults: memory, and concurrent requests per instance. */
const INSTANCE_MB = 2048;
const DEFAULT_CONCURRENCY = 16;

/**
 * The host stores a body four to seven times in memory. A real host with 2 GB survived 390 MB of bodies; 520 MB ended it
 * with an OutOfMemoryException.
 */
const LARGEST_SHARE = 0.2;

const MEGABYTE = 1024 * 1024;

/**
 * @param maxConcurrentRequests of host.json; undefined or -1: the plan's limit.
 * @returns the problem and its remedy; undefined without a problem, or when no function accepts a body.
 */
export function bodyBudgetWarning(
  functions: readonly FunctionInfo[],
  maxBodyBytes: number,
  maxConcurrentRequests: number | undefined,
): string | undefined {
  if (!functions.some(takesBodies)) return undefined;
  const isLimited = maxConcurrentRequests !== undefined && maxConcurrentRequests > 0;
  const concurrency = isLimited ? maxConcurrentRequests : DEFAULT_CONCURRENCY;
  const largestMb = INSTANCE_MB * LARGEST_SHARE;
  const bodiesMb = (concurrency * maxBodyBytes) / MEGABYTE;
  if (bodiesMb <= largestMb) return undefined;
  const fitting = Math.floor((largestMb * MEGABYTE) / concurrency);
  return (
    `${concurrency} concurrent requests with bodies of ${maxBodyBytes} bytes take ${Math.round(bodiesMb)} MB, ` +
    `more than a fifth of an instance of ${INSTANCE_MB} MB, and can end a real host: ` +
    `set FUNCTIONS_REQUEST_BODY_SIZE_LIMIT to at most ${fitting}.`
  );
}

function takesBodies({ route, methods }: FunctionInfo): boolean {
  if (route === undefined) return false;
  return methods === undefined || methods.some((method) => method !== 'GET' && method !== 'HEAD');
}
