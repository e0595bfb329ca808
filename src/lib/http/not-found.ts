import type { HttpHandler, HttpRequest, HttpResponseInit } from '@azure/functions';
import type { Context } from '../context.ts';
import { Problem } from '../../contract/problem.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { logRequest, requestLog } from './request-log.ts';
import { emptyResponse, problemResponse } from './respond.ts';
import { methodsOf, type RouteLike } from './route-match.ts';
import { requestId } from './trace.ts';

/**
 * Answers whatever no endpoint takes: 404, 405 with `Allow`, and OPTIONS with its preflights. Registered under
 * a name that sorts last, because the host asks functions in the order of their names.
 */
export function serveNotFound(routes: readonly RouteLike[], { config }: Context): HttpHandler {
  return async (request, invocation) => {
    const started = performance.now();
    const id = requestId(request.headers.get('x-request-id'));
    const response = answer(request, id, routes, config.CORS_ORIGINS);
    logRequest(requestLog(config, invocation, id), {
      function: invocation.functionName,
      response,
      started,
    });
    return response;
  };
}

function answer(
  request: HttpRequest,
  id: string,
  routes: readonly RouteLike[],
  origins: readonly string[],
): HttpResponseInit {
  const origin = request.headers.get('origin');
  const methods = methodsOf(new URL(request.url).pathname, routes);
  const headers = { 'x-request-id': id, ...corsHeaders(origin, origins) };
  if (methods.length === 0) return problemResponse(new Problem('not_found'), id, headers);
  const allow = { allow: methods.join(', ') };
  if (request.method === 'OPTIONS') {
    return emptyResponse(204, { ...headers, ...allow, ...preflightHeaders(origin, origins, methods) });
  }
  const detail = `Use one of: ${methods.join(', ')}.`;
  return problemResponse(new Problem('method_not_allowed', { detail, headers: allow }), id, headers);
}
