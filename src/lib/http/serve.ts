import type { HttpHandler, HttpResponseInit } from '@azure/functions';
import type { AuditContext } from '../app/audit.ts';
import type { AppContext, Context } from '../app/context.ts';
import type { DecodeCaller } from '../image/decode.ts';
import { describeError, type Log } from '../telemetry/log.ts';
import type { AccountActor, Actor, AnonymousActor, TenantActor } from '../../contract/actor.ts';
import { type Audit, auditEvents } from '../../contract/audit.ts';
import { type Problem, type RefusedParty, refusedParty } from '../../contract/problem.ts';
import type { RequestFacts } from '../../contract/request-facts.ts';
import { corsHeaders } from './cors.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { type Authenticate, authenticate, requireAccess } from './authorize.ts';
import { createNetworkLimit } from './network-limit.ts';
import { parseInput } from './parse-input.ts';
import { rateLimitHeaders, requireQuota } from './rate-limit-headers.ts';
import type { RawReply } from './raw-reply.ts';
import { requestFacts } from './request-facts.ts';
import { logRequest, requestLog } from './request-log.ts';
import { toProblem } from './to-problem.ts';
import { emptyResponse, jsonResponse, problemResponse, rawResponse } from './respond.ts';

/** What serve() needs of the domain, handed in by `app.ts`: lib knows no sessions and no event log. */
export interface ServeHooks {
  /**
   * The account behind a bearer token, whose request is taken from its quotas at the same time.
   * @throws {Problem} `token_invalid`, `token_expired`
   */
  authenticate: Authenticate;
  /**
   * Counts a caller without a token on a route that is open to them, and finds the tenant that the request names.
   * @throws {Problem} `rate_limited`, `tenant_not_found`
   */
  admitAnonymous(request: RequestFacts): Promise<AnonymousActor & TenantActor>;
  /** The event log for a use case; `undefined` for an endpoint that declares no action. */
  openAudit(declared: Audit | undefined, actor: Actor, request: RequestFacts): AuditContext;
  /** Writes the refusal of an audited endpoint to the event log. */
  recordRefusal(refusal: Refusal): Promise<void>;
}

export interface Refusal {
  audit: Audit;
  problem: Problem;
  actor: Actor;
  about: RefusedParty;
  request: RequestFacts;
}

/**
 * The one way from an endpoint to a use case: request id → actor → role → quota, or limit of anonymous callers → size
 * and content type → parse → handler → parse the reply (members its schema does not name never leave) → headers. Always
 * returns a response: anything thrown becomes problem+json, because the host would answer a throw with an empty 500.
 */
export function serve(endpoint: AnyEndpoint, app: AppContext, hooks: ServeHooks): HttpHandler {
  const limit = endpoint.perNetwork === undefined ? undefined : createNetworkLimit(endpoint.perNetwork);
  return async (request, invocation) => {
    const started = performance.now();
    const facts = requestFacts(request, invocation, app);
    const log = requestLog(app.config, invocation, facts.id);
    const replyHeaders: Record<string, string> = {};
    const headers = {
      'x-request-id': facts.id,
      ...corsHeaders(request, app.config, log),
    };
    let actor: AccountActor | AnonymousActor = anonymous(facts);
    let tenant: number | undefined;
    let code: string | undefined;
    let response: HttpResponseInit;
    try {
      limit?.take(facts.ipPrefix, facts.receivedAt);
      // Before the body is read: reading it is what costs the most.
      const admitted = await authenticate(endpoint, request, facts, app, hooks);
      if (admitted !== undefined) {
        ({ actor } = admitted);
        requireAccess(endpoint, actor, app.config);
        Object.assign(headers, rateLimitHeaders(admitted.quotas));
        requireQuota(admitted.quotas);
      } else if (endpoint.auth === 'any-unless-public-ai') actor = await hooks.admitAnonymous(facts);
      const input = await parseInput(endpoint, request);
      const declared = endpoint.audit === 'none' ? undefined : endpoint.audit;
      const audit = hooks.openAudit(declared, actor, facts);
      const context = contextOf(app, { request: facts, log, audit }, actor);
      const result: unknown = await endpoint.handler({
        ...input,
        context,
        actor,
        request: facts,
        replyHeaders,
      });
      tenant = audit.tenantId;
      response = success(endpoint, result, { ...headers, ...ofTexts(endpoint, facts), ...replyHeaders });
    } catch (thrown) {
      const problem = toProblem(thrown, log);
      const about = refusedParty(thrown);
      ({ code } = problem);
      tenant = about.tenantId;
      response = problemResponse(problem, facts.id, headers);
      await recordRefusal(endpoint, { problem, actor, about, request: facts }, hooks, log);
    }
    const user = actor.kind === 'account' ? actor.uuid : undefined;
    tenant = actor.tenantId ?? tenant;
    logRequest(log, app.metrics, { function: endpoint.name, response, started, user, tenant, code });
    return request.method === 'HEAD' ? withoutBody(response) : response;
  };
}

const anonymous = ({ ipPrefix }: RequestFacts): AnonymousActor => ({
  kind: 'anonymous',
  tenantId: undefined,
  ipPrefix,
});

function contextOf(
  { images, ...app }: AppContext,
  ofRequest: Pick<Context, 'request' | 'log' | 'audit'>,
  actor: Actor,
): Context {
  return {
    ...app,
    ...ofRequest,
    get images() {
      return images.forCaller(decodeCaller(actor));
    },
  };
}

/**
 * Uploads of one caller wait for each other: of an account nine besides the one being decoded, as many as an instance answers at
 * once, so that a client may send its ten photos in parallel; of an anonymous network one.
 */
function decodeCaller(actor: Actor): DecodeCaller {
  if (actor.kind === 'account') return { id: actor.uuid, maxWaiting: 9 };
  return { id: `network ${actor.ipPrefix ?? 'unknown'}`, maxWaiting: 1 };
}

/** A document that is sent as it is names its own language. */
const ofTexts = ({ sends, reply }: AnyEndpoint, { language }: RequestFacts) =>
  'body' in reply && sends?.includes('Content-Language') === true ? { 'content-language': language } : {};

function success({ reply }: AnyEndpoint, result: unknown, headers: Record<string, string>): HttpResponseInit {
  if ('body' in reply) {
    const status = reply.alternative?.when(result) === true ? reply.alternative.status : reply.status;
    return jsonResponse(status, reply.body.parse(result), headers);
  }
  if (!('raw' in reply)) return emptyResponse(reply.status, headers);
  const { body, headers: own, status } = result as RawReply;
  return rawResponse(status ?? reply.status, body, { ...headers, 'content-type': reply.raw, ...own });
}

/** The host drops a HEAD reply's body; saying nothing spares carrying it there. */
function withoutBody(response: HttpResponseInit): HttpResponseInit {
  const { body: _dropped, ...rest } = response;
  return rest;
}

/**
 * What says nothing about security or use, such as a typing mistake in a form, and calls of the AI service that
 * failed: the use case has recorded them.
 */
const notAudited = new Set([
  'malformed_json',
  'validation_error',
  'anamnesis_invalid',
  'invalid_multipart',
  'invalid_image',
  'length_required',
  'payload_too_large',
  'unsupported_media_type',
  'not_found',
  'unavailable',
  'busy',
  'ai_unavailable',
  'ai_invalid_reply',
  'ai_timeout',
]);

async function recordRefusal(
  endpoint: AnyEndpoint,
  refusal: Omit<Refusal, 'audit'>,
  hooks: ServeHooks,
  log: Log,
): Promise<void> {
  const audit = auditOf(endpoint, refusal.problem);
  const { code, conceals } = refusal.problem;
  if (audit === undefined || (conceals === undefined && notAudited.has(code))) return;
  try {
    await hooks.recordRefusal({ ...refusal, audit });
  } catch (error) {
    // The refusal itself stands whether or not it could be recorded.
    log.error('audit_failed', { action: audit.refusal, ...describeError(error) });
  }
}

/** A caller who reaches for what they may not do or see is worth an event on every endpoint. */
function auditOf({ audit }: AnyEndpoint, { code, conceals }: Problem): Audit | undefined {
  if (code === 'forbidden' || conceals !== undefined) return auditEvents.authorizationFailed;
  return audit === 'none' ? undefined : audit;
}
