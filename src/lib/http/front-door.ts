import type { HttpHandler } from '@azure/functions';
import type { AppContext } from '../app/context.ts';
import { Problem } from '../../contract/problem.ts';
import { logRequest, requestLog } from './request-log.ts';
import { problemResponse } from './respond.ts';
import { requestId } from './trace.ts';

/**
 * If a Front Door is configured, serves only the requests that it forwards. Behind it the client's address is the last
 * but one entry of `X-Forwarded-For`; a caller who reaches the app directly could forge that entry and so fill someone
 * else's throttle. Front Door sets `X-Azure-FDID` on every request, probes included, and overwrites the client's. Infra
 * restricts the network by the same id; this check still works when that restriction is missing.
 *
 * Of a refused request only the headers are read. The reply is 404, because the service does not live at this address.
 *
 * https://learn.microsoft.com/azure/frontdoor/origin-security
 */
export function behindFrontDoor(
  handler: HttpHandler,
  { config, metrics }: Pick<AppContext, 'config' | 'metrics'>,
): HttpHandler {
  const { FRONT_DOOR_ID: id } = config;
  if (id === undefined) return handler;
  return (request, invocation) => {
    // Two such headers arrive as one list, which does not match.
    if (request.headers.get('x-azure-fdid')?.toLowerCase() === id) return handler(request, invocation);
    const started = performance.now();
    const ours = requestId(request.headers.get('x-request-id'));
    const log = requestLog(config, invocation, ours);
    const problem = new Problem('not_found', {
      detail: 'The service answers at its public address only, behind Front Door.',
    });
    const response = problemResponse(problem, ours, { 'x-request-id': ours });
    log.warn('front_door_bypassed', { function: invocation.functionName });
    logRequest(log, metrics, { function: invocation.functionName, response, started, code: problem.code });
    return response;
  };
}
