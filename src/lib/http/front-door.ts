import type { HttpHandler } from '@azure/functions';
import type { Context } from '../context.ts';
import { Problem } from '../../contract/problem.ts';
import { logRequest, requestLog } from './request-log.ts';
import { problemResponse } from './respond.ts';
import { requestId } from './trace.ts';

/**
 * Serves only what our own Front Door passes on, where one is configured. Behind it the client's address is the entry of
 * `X-Forwarded-For` before the last; a caller of the app's own address could write that entry itself, and with it
 * choose whose throttle to fill. Front Door sets `X-Azure-FDID` on every request, its probes included, over any that the
 * client sent. Infra restricts the network by the same id; this holds where that restriction is missing or was removed.
 *
 * Nothing of a refused request is read but its headers; 404, since this address is none of the service's.
 * https://learn.microsoft.com/azure/frontdoor/origin-security
 */
export function behindFrontDoor(handler: HttpHandler, { config }: Pick<Context, 'config'>): HttpHandler {
  const { FRONT_DOOR_ID: id } = config;
  if (id === undefined) return handler;
  return (request, invocation) => {
    // Two headers arrive as one list, which is no id.
    if (request.headers.get('x-azure-fdid')?.toLowerCase() === id) return handler(request, invocation);
    const started = performance.now();
    const ours = requestId(request.headers.get('x-request-id'));
    const log = requestLog(config, invocation, ours);
    const problem = new Problem('not_found', {
      detail: 'The service answers at its public address only, behind Front Door.',
    });
    const response = problemResponse(problem, ours, { 'x-request-id': ours });
    log.warn('front_door_bypassed', { function: invocation.functionName });
    logRequest(log, { function: invocation.functionName, response, started, code: problem.code });
    return response;
  };
}
