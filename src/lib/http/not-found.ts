import type { HttpHandler } from '@azure/functions';
import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { emptyResponse, problemResponse } from './respond.ts';
import { methodsOf, type RouteLike } from './route-match.ts';
import { requestId } from './trace.ts';

/**
 * Answers whatever no endpoint takes: 404, 405 with `Allow`, and OPTIONS with its preflights. Registered under
 * a name that sorts last, because the host asks functions in the order of their names.
 */
export function serveNotFound(routes: readonly RouteLike[], { config }: Context): HttpHandler {
  return async (request) => {
    const id = requestId(request.headers.get('x-request-id'));
    const origin = request.headers.get('origin');
    const methods = methodsOf(new URL(request.url).pathname, routes);
    const headers = { 'x-request-id': id, ...corsHeaders(origin, config.CORS_ORIGINS) };
    if (methods.length === 0) return problemResponse(new Problem('not_found'), id, headers);
    const allow = { allow: methods.join(', ') };
    if (request.method === 'OPTIONS') {
      const preflight = preflightHeaders(origin, config.CORS_ORIGINS, methods);
      return emptyResponse(204, { ...headers, ...allow, ...preflight });
    }
    const detail = `Use one of: ${methods.join(', ')}.`;
    return problemResponse(new Problem('method_not_allowed', { detail, headers: allow }), id, headers);
  };
}
