// The share of an instance's memory that request bodies may take, and whether an app's settings stay below it.
import type { FunctionInfo } from './router.ts';

/** Flex Consumption's default. */
const INSTANCE_MB = 2048;
/** What an app is assumed to set as `perInstanceConcurrency`, where host.json does not; Flex Consumption's own default is 16. */
const ASSUMED_CONCURRENCY = 10;

/**
 * The host stores a body four to seven times in memory. Sixteen forms of 20 MB ended a real host with 2 GB in two of six runs,
 * with an OutOfMemoryException; twelve did not in three.
 */
const LARGEST_SHARE = 1 / 8;

const MEGABYTE = 1024 * 1024;

/**
 * @param maxConcurrentRequests of host.json; undefined or -1: no limit of its own.
 * @returns the problem and its remedy; undefined without a problem, or when no function accepts a body.
 */
export function bodyBudgetWarning(
  functions: readonly FunctionInfo[],
  maxBodyBytes: number,
  maxConcurrentRequests: number | undefined,
): string | undefined {
  if (!functions.some(takesBodies)) return undefined;
  const isLimited = maxConcurrentRequests !== undefined && maxConcurrentRequests > 0;
  const concurrency = isLimited ? maxConcurrentRequests : ASSUMED_CONCURRENCY;
  const largestMb = INSTANCE_MB * LARGEST_SHARE;
  const bodiesMb = (concurrency * maxBodyBytes) / MEGABYTE;
  if (bodiesMb <= largestMb) return undefined;
  const fitting = Math.floor((largestMb * MEGABYTE) / concurrency);
  return (
    `${concurrency} concurrent requests with bodies of ${maxBodyBytes} bytes take ${Math.round(bodiesMb)} MB, ` +
    `more than an eighth of an instance of ${INSTANCE_MB} MB, and can end a real host: ` +
    `set FUNCTIONS_REQUEST_BODY_SIZE_LIMIT to at most ${fitting}.`
  );
}

function takesBodies({ route, methods }: FunctionInfo): boolean {
  if (route === undefined) return false;
  return methods === undefined || methods.some((method) => method !== 'GET' && method !== 'HEAD');
}
