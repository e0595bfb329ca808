import type { HttpHandler, HttpRequest, HttpResponseInit } from '@azure/functions';
import { AiFailure, aiProblem } from '../ai/ai-failure.ts';
import { BlobUnavailable } from '../blob/blob-store.ts';
import { challenge } from '../auth/access-token.ts';
import type { Context } from '../context.ts';
import { isDatabaseUnavailable } from '../db/errors.ts';
import type { DecodeCaller } from '../image/decode.ts';
import { describeError, type Log } from '../log.ts';
import { Problem } from '../../contract/problem.ts';
import { corsHeaders } from './cors.ts';
import type { Access, AnyEndpoint, Audit, Caller, QuotaGroup, RequestFacts, Trail } from './endpoint.ts';
import { parseInput } from './parse-input.ts';
import { type QuotaState, rateLimitHeaders, requireQuota } from './rate-limit-headers.ts';
import type { RawReply } from './raw-reply.ts';
import { requestFacts } from './request-facts.ts';
import { logRequest, requestLog } from './request-log.ts';
import { emptyResponse, jsonResponse, problemResponse, rawResponse } from './respond.ts';

/** What serve() needs of the domain, handed in by `main.ts`: lib knows no sessions and no event log. */
export interface ServeHooks {
  /** The caller behind a bearer token; @throws {Problem} `token_invalid`, `token_expired`. */
  authenticate(token: string, now: Date): Promise<Caller>;
  /** @throws {Problem} `email_unverified` */
  requireVerifiedEmail(user: Caller): Promise<void>;
  /** Takes the request from the caller's quotas. */
  takeQuota(group: QuotaGroup, user: Caller, bytes: number, now: Date): Promise<readonly QuotaState[]>;
  /** Counts a caller without a token on a route that is open to them; @throws {Problem} `rate_limited`. */
  admitAnonymous(request: RequestFacts): Promise<void>;
  /** Writes the refusal of an audited endpoint to the event log. */
  recordRefusal(refusal: Refusal): Promise<void>;
}

export interface Refusal {
  category: Audit['category'];
  action: string;
  problem: Problem;
  user: Caller | undefined;
  trail: Trail;
  request: RequestFacts;
}

/**
 * The one way from an endpoint to a handler: request id → caller → role → quota, or limit of anonymous callers → size
 * and content type → parse → handler → parse the reply (members its schema does not name never leave) → headers. Always returns a
 * response: whatever is thrown becomes problem+json, because the host would answer a throw with an empty 500.
 */
export function serve(endpoint: AnyEndpoint, context: Context, hooks: ServeHooks): HttpHandler {
  return async (request, invocation) => {
    const started = performance.now();
    const facts = requestFacts(request, invocation, context);
    const log = requestLog(context.config, invocation, facts.id);
    const trail: Trail = {};
    const replyHeaders: Record<string, string> = {};
    const headers = {
      'x-request-id': facts.id,
      ...corsHeaders(request, context.config, log),
    };
    let user: Caller | undefined;
    let code: string | undefined;
    let response: HttpResponseInit;
    try {
      user = await identify(endpoint.auth, request, context, hooks, facts.receivedAt);
      requireRole(endpoint.auth, user);
      if (endpoint.verifiedOnly === true && context.config.REQUIRE_VERIFIED_EMAIL && user !== undefined) {
        await hooks.requireVerifiedEmail(user);
      }
      if (endpoint.quota !== undefined && user !== undefined) {
        const bytes = bodyBytes(request);
        const quotas = await hooks.takeQuota(endpoint.quota, user, bytes, facts.receivedAt);
        Object.assign(headers, rateLimitHeaders(quotas));
        requireQuota(quotas);
      }
      // Before the body is read: reading it is what costs the most.
      if (endpoint.auth === 'any-unless-public-ai' && user === undefined) await hooks.admitAnonymous(facts);
      const input = await parseInput(endpoint, request);
      const result: unknown = await endpoint.handler({
        ...context,
        ...input,
        get images() {
          return context.images.forCaller(decodeCaller(user, facts));
        },
        user,
        request: facts,
        trail,
        replyHeaders,
        log,
      });
      response = success(endpoint, result, { ...headers, ...replyHeaders });
    } catch (thrown) {
      const problem = toProblem(thrown, log);
      code = problem.code;
      response = problemResponse(problem, facts.id, headers);
      await audit(endpoint, { problem, user, trail, request: facts }, hooks, log);
    }
    const tenant = user?.tenantId ?? trail.tenantId;
    logRequest(log, { function: endpoint.name, response, started, user: user?.uuid, tenant, code });
    return request.method === 'HEAD' ? withoutBody(response) : response;
  };
}

/** Uploads of one caller wait for each other: a user may have two more waiting, an anonymous network one. */
function decodeCaller(user: Caller | undefined, { ipPrefix }: RequestFacts): DecodeCaller {
  if (user !== undefined) return { id: user.uuid, maxWaiting: 2 };
  return { id: `network ${ipPrefix ?? 'unknown'}`, maxWaiting: 1 };
}

/** As announced; a body without a length is refused before it is read. */
function bodyBytes(request: HttpRequest): number {
  const announced = request.headers.get('content-length') ?? '';
  return /^\d{1,9}$/.test(announced) ? Number(announced) : 0;
}

async function identify(
  auth: Access,
  request: HttpRequest,
  context: Context,
  hooks: ServeHooks,
  now: Date,
): Promise<Caller | undefined> {
  if (auth === 'public') return undefined;
  const header = request.headers.get('authorization');
  if (header === null) {
    const open = auth === 'optional' || (auth === 'any-unless-public-ai' && context.config.PUBLIC_AI_ROUTES);
    if (open) return undefined;
    throw new Problem('authentication_required', { headers: challenge });
  }
  const token = /^Bearer +([^\s,]+)$/i.exec(header.trim())?.[1];
  if (token === undefined) throw new Problem('authentication_required', { headers: challenge });
  return await hooks.authenticate(token, now);
}

function requireRole(auth: Access, caller: Caller | undefined): void {
  if (auth === 'public' || caller === undefined) return;
  if (!rolesOf[auth].includes(caller.role)) throw new Problem('forbidden');
}

const everyone = ['patient', 'physician', 'admin'];
const rolesOf: Record<Exclude<Access, 'public'>, readonly string[]> = {
  optional: everyone,
  any: everyone,
  'any-unless-public-ai': everyone,
  'physician-level': ['physician', 'admin'],
  'admin-level': ['admin'],
};

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

export function toProblem(thrown: unknown, log: Log): Problem {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof AiFailure) return aiProblem(thrown);
  if (thrown instanceof BlobUnavailable) {
    log.error('blob_storage_unavailable', describeError(thrown.cause));
    return new Problem('unavailable', {
      detail: 'The image store cannot be reached at the moment.',
      headers: { 'retry-after': '2' },
    });
  }
  if (isDatabaseUnavailable(thrown)) {
    log.error('database_unavailable', describeError(thrown));
    return new Problem('unavailable', {
      detail: 'The database cannot be reached at the moment.',
      headers: { 'retry-after': '2' },
    });
  }
  log.error('unexpected_error', describeError(thrown));
  return new Problem('internal_error', { cause: thrown });
}

/**
 * What says nothing about security or use, such as a typing mistake in a form, and calls of the AI service that
 * failed: whoever made them has recorded them.
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

async function audit(
  endpoint: AnyEndpoint,
  refusal: Omit<Refusal, 'category' | 'action'>,
  hooks: ServeHooks,
  log: Log,
): Promise<void> {
  const named = auditOf(endpoint, refusal.problem);
  const { code, conceals } = refusal.problem;
  if (named === undefined || (conceals === undefined && notAudited.has(code))) return;
  try {
    await hooks.recordRefusal({ ...refusal, ...named });
  } catch (error) {
    // The refusal itself stands whether or not it could be recorded.
    log.error('audit_failed', { action: named.action, ...describeError(error) });
  }
}

/** A caller who reaches for what they may not do or see is worth an event, whatever the endpoint says. */
function auditOf(
  { audit }: AnyEndpoint,
  { code, conceals }: Problem,
): { category: Audit['category']; action: string } | undefined {
  if (code === 'forbidden' || conceals !== undefined) return { category: 'auth', action: 'authz_fail' };
  return audit === 'none' ? undefined : { category: audit.category, action: audit.refusal };
}
