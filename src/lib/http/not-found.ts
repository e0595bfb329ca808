import type { HttpHandler, HttpRequest, HttpResponseInit } from '@azure/functions';
import type { AppContext } from '../context.ts';
import { Problem } from '../../contract/problem.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { logRequest, requestLog } from './request-log.ts';
import { emptyResponse, problemResponse } from './respond.ts';
import { methodsOf, type RouteLike } from './route-match.ts';
import { requestId } from './trace.ts';

/**
 * Answers every request that matches no endpoint: 404, 405 with `Allow`, and OPTIONS including preflights. Its function
 * name sorts last, because the host tries functions in name order.
 */
export function serveNotFound(routes: readonly RouteLike[], { config }: AppContext): HttpHandler {
  return async (request, invocation) => {
    const started = performance.now();
    const id = requestId(request.headers.get('x-request-id'));
    const log = requestLog(config, invocation, id);
    const headers = { 'x-request-id': id, ...corsHeaders(request, config, log) };
    const response = answer(request, id, routes, { config, headers });
    logRequest(log, { function: invocation.functionName, response, started });
    return response;
  };
}

function answer(
  request: HttpRequest,
  id: string,
  routes: readonly RouteLike[],
  { config, headers }: Pick<AppContext, 'config'> & { headers: Record<string, string> },
): HttpResponseInit {
  const methods = methodsOf(new URL(request.url).pathname, routes);
  if (methods.length === 0) return problemResponse(new Problem('not_found'), id, headers);
  const allow = { allow: methods.join(', ') };
  if (request.method === 'OPTIONS') {
    const granted = preflightHeaders(request.headers.get('origin'), config, methods);
    return emptyResponse(204, { ...headers, ...allow, ...granted });
  }
  const detail = `Use one of: ${methods.join(', ')}.`;
  return problemResponse(new Problem('method_not_allowed', { detail, headers: allow }), id, headers);
}
