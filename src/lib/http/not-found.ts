import type { HttpHandler, HttpRequest } from '@azure/functions';
import type { AppContext } from '../app/context.ts';
import { Problem } from '../../contract/problem.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { logRequest, requestLog } from './request-log.ts';
import { emptyResponse, problemResponse } from './respond.ts';
import { foreignAddresses, matches, methodsOf, type RouteLike } from './route-match.ts';
import { requestId } from './trace.ts';

/**
 * Answers every request that matches no endpoint: 404, 405 with `Allow`, and OPTIONS including preflights. Its function
 * name sorts last, because the host tries functions in name order.
 */
export function serveNotFound(routes: readonly RouteLike[], { config, metrics }: AppContext): HttpHandler {
  return async (request, invocation) => {
    const started = performance.now();
    const id = requestId(request.headers.get('x-request-id'));
    const log = requestLog(config, invocation, id);
    const headers = { 'x-request-id': id, ...corsHeaders(request, config, log) };
    const reply = answer(request, routes, config);
    if (reply instanceof Problem) {
      const response = problemResponse(reply, id, headers);
      logRequest(log, metrics, { function: invocation.functionName, response, started, code: reply.code });
      return response;
    }
    const response = emptyResponse(204, { ...headers, ...reply });
    logRequest(log, metrics, { function: invocation.functionName, response, started });
    return response;
  };
}

/**
 * The host gives `GET items/search` to `GET items/{id}` where `search` is a POST. What cannot be an id is answered by `notFound`
 * then: with 405, not as an item that is missing.
 */
export function exceptForeign(
  endpoint: RouteLike,
  routes: readonly RouteLike[],
  { handler, notFound }: { handler: HttpHandler; notFound: HttpHandler },
): HttpHandler {
  // Found by the first request: comparing every route with every other one is a twentieth of a cold start.
  let foreign: readonly string[] | undefined;
  return (request, invocation) => {
    foreign ??= foreignAddresses(endpoint, routes);
    if (foreign.length === 0) return handler(request, invocation);
    const { pathname } = new URL(request.url);
    const isForeign = foreign.some((route) => matches(route, pathname));
    return (isForeign ? notFound : handler)(request, invocation);
  };
}

/** @returns the headers of a reply to OPTIONS, or why there is none. */
function answer(
  request: HttpRequest,
  routes: readonly RouteLike[],
  config: AppContext['config'],
): Problem | Record<string, string> {
  const methods = methodsOf(new URL(request.url).pathname, routes);
  if (methods.length === 0) return new Problem('not_found');
  const allow = { allow: methods.join(', ') };
  if (request.method === 'OPTIONS')
    return { ...allow, ...preflightHeaders(request.headers.get('origin'), config, methods) };
  const detail = `Use one of: ${methods.join(', ')}.`;
  return new Problem('method_not_allowed', { detail, headers: allow });
}
