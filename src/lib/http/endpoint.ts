import type { z } from 'zod';
import type { AccountActor, AnonymousActor, TenantActor } from '../../contract/actor.ts';
import type { Audit } from '../../contract/audit.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import type { RequestFacts } from '../../contract/request-facts.ts';
import type { Context } from '../app/context.ts';
import type { FormOf, MultipartSpec } from './multipart-spec.ts';
import type { HeaderName, ReadFact } from './documented-facts.ts';

/**
 * Who may call.
 * - `public`: anyone, a token is ignored
 * - `optional`: anyone; a token that is sent must be valid
 * - `any`: any authenticated user
 * - `any-unless-public-ai`: as `any`; with PUBLIC_AI_ROUTES=true also callers without a token
 * - `physician-level`: physicians and admins
 * - `admin-level`: admins
 */
export type Access =
  | 'public'
  | 'optional'
  | 'any'
  | 'any-unless-public-ai'
  | 'physician-level'
  | 'admin-level';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Groups of endpoints that share the quotas of a user. */
export type QuotaGroup = 'questions' | 'ai' | 'uploads' | 'downloads' | 'mails';

type ActorOf<A extends Access> = A extends 'public'
  ? AnonymousActor
  : A extends 'optional'
    ? AccountActor | AnonymousActor
    : A extends 'any-unless-public-ai'
      ? TenantActor
      : AccountActor;

/** What a handler learns about the request besides its parsed parts. */
export interface HttpFacts extends RequestFacts {
  /** For GET and HEAD with `If-None-Match`. */
  ifNoneMatch: string | undefined;
  /** The version of the record that a writer has read: {@link expectedVersion} of record-version.ts. */
  ifMatch: string | undefined;
  ifRange: string | undefined;
  /** Whether the client tries to open a WebSocket. */
  isWebSocket: boolean;
  /** Of an event stream: the newest event that the client has. */
  lastEventId: number | undefined;
  acceptEncoding: string | undefined;
  range: string | undefined;
}

export type Reply<Result> =
  | {
      status: number;
      body: z.ZodType<unknown, Result>;
      description: string;
      /** A second status with the same body, chosen by what the handler returned. */
      alternative?: { status: number; description: string; when(result: NoInfer<Result>): boolean };
    }
  | { status: number; description: string }
  | {
      status: number;
      /** Content type, unless the handler names another. */
      raw: string;
      /** What the bytes are where they are JSON already, for the OpenAPI document. */
      rawSchema?: z.ZodType;
      /** The others that the handler may name, for the OpenAPI document. */
      otherTypes?: readonly string[];
      description: string;
      /** Further statuses that the handler may choose, with their descriptions. */
      alternatives?: Readonly<Record<number, string>>;
    };

export interface HandlerInput<A extends Access, Params, Query, Body, Parts extends MultipartSpec> {
  /** For the use case. */
  context: Context;
  actor: ActorOf<A>;
  params: Params;
  query: Query;
  body: Body;
  /** Set where the endpoint declares `multipart`. */
  form: FormOf<Parts>;
  request: HttpFacts;
  /** Headers that a handler adds to its successful reply. */
  replyHeaders: Record<string, string>;
}

/**
 * One endpoint: a value that describes, without side effects. `main.ts` registers it, the OpenAPI document, the
 * route list and the contract tests read it.
 */
export interface Endpoint<A extends Access, Params, Query, Body, Result, Parts extends MultipartSpec> {
  /** Function name and OpenAPI operationId. */
  name: string;
  method: Method;
  /** Full path without a leading slash; `{name}` is a parameter, `{*name}` takes the rest of the path. */
  route: string;
  summary: string;
  description?: string;
  /** Area, for the OpenAPI document. */
  tag: string;
  auth: A;
  /** What the event log says of it; `none` must be spelt out. */
  audit: 'none' | Audit;
  /** Whether it writes health data: with REQUIRE_VERIFIED_EMAIL only for accounts whose address is verified. */
  verifiedOnly?: boolean;
  /** The quota that a signed-in caller's requests are taken from, before their body is read. */
  quota?: QuotaGroup;
  /** Requests that a network may send to this instance within a minute; for public routes that cost little. */
  perNetwork?: number;
  /** Which of the request facts matter here, for the OpenAPI document. */
  reads?: readonly ReadFact[];
  /** Headers of its successful reply beyond those of every reply, for the OpenAPI document. */
  sends?: readonly HeaderName[];
  params?: z.ZodType<Params>;
  /** What a malformed path parameter is answered with, as an unknown one is; `not_found` where absent. */
  missing?: ProblemCode;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  /** What the OpenAPI document says of the body where `body` only takes it in and the domain checks it. */
  bodyDocs?: z.ZodType;
  /** Limit of a JSON body in bytes; 16 KiB where absent. */
  bodyLimit?: number;
  multipart?: Parts;
  reply: Reply<Result>;
  /** Codes this endpoint answers besides those that every endpoint of its kind can answer. */
  problems: readonly ProblemCode[];
  handler(input: HandlerInput<A, Params, Query, Body, Parts>): Promise<Result>;
}

// Each endpoint has its own types for what it reads and answers; a list of endpoints forgets them.
// oxlint-disable-next-line typescript/no-explicit-any
type Untyped = Endpoint<any, any, any, any, any, any>;
export type AnyEndpoint = Omit<Untyped, 'auth' | 'multipart'> & { auth: Access; multipart?: MultipartSpec };

export function endpoint<
  const A extends Access,
  Params = undefined,
  Query = undefined,
  Body = undefined,
  Result = undefined,
  const Parts extends MultipartSpec = MultipartSpec,
>(
  definition: Endpoint<A, Params, Query, Body, Result, Parts>,
): Endpoint<A, Params, Query, Body, Result, Parts> {
  return definition;
}
