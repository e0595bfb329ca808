import type { ProblemCode } from '../../src/contract/problem.ts';
import type { AnyEndpoint } from '../../src/lib/http/endpoint.ts';
import type { AccessRow } from './access/rows.ts';

/**
 * Who sends a request: a demo user, an account registered for this one request (a patient of the default tenant), or a
 * caller without a token. A public endpoint gets no token, whichever player it names; a newcomer is then only an account that exists.
 */
export type Player = 'patient' | 'physician' | 'admin' | 'newcomer' | 'anonymous';

/** Bytes to upload, by a name that the runners know: files.ts. */
export interface UploadedFile {
  file: 'photo' | 'grey' | 'notAnImage' | 'tooManyPixels';
}
export const photo: UploadedFile = { file: 'photo' };
export const greyImage: UploadedFile = { file: 'grey' };

export type FormValue = UploadedFile | object | string;

/**
 * A request as data; at most one of `json`, `form` and `raw`. Any text may contain places that a runner fills in:
 * - `{{name.response.body.path[0]}}`, `{{name.response.headers.etag}}`: the reply to a request of `after`, or of a
 *   player's registration or login (`{{newcomer.response.body.refresh_token}}`)
 * - `{{#name.response.body.id}}`, alone in a text of `json`: the same as a number
 * - `{{$timestamp}}`: digits that no other request has
 * - `{{ diagnosis.name }}`, with blanks: no place but the notation of Liquid, sent as it is
 * - `{{resetToken}}`, `{{verificationToken}}`, `{{invitationToken}}`: the token mailed last
 */
export interface Ask {
  /** The scenario's player where absent; in `after`, the player of the request that needs it. */
  as?: Player;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  json?: unknown;
  form?: Readonly<Record<string, FormValue>>;
  raw?: string;
  /** Content type of `raw`; JSON where absent. */
  type?: string;
  /** Requests that must succeed first. The name of an operation stands for its first good request. */
  after?: Readonly<Record<string, string | Earlier>>;
  /** Statements that the owner of the tables runs in the default tenant, between `after` and the request. */
  state?: readonly string[];
}

export interface Earlier extends Ask {
  operation: string;
  /** The gateway holds it: the request that it comes before is sent while it is held. */
  isHeld?: true;
}

/**
 * Another app than the usual one.
 * - `strict`: only patients may register, health data needs a verified address, callers without a token may use the AI; there
 *   is no Web PubSub
 * - `withoutDatabase`: the database does not answer
 */
export type Instance = 'strict' | 'withoutDatabase';

export interface Good extends Ask {
  /** What it shows, in the OpenAPI document: starts with a capital, ends without a full stop. */
  title: string;
  /** Of the reply; what the endpoint declares where absent. */
  status?: number;
  on?: Instance;
  /** Why this success leaves no row in the event log, where the endpoint declares one. */
  unaudited?: string;
  /** The part of the reply that the OpenAPI document shows; all of it where absent. */
  shown?(reply: never): unknown;
}

export interface Refusal extends Ask {
  title: string;
  code: ProblemCode;
  /** JSON Pointers of the refused fields, all of them. */
  pointers?: readonly string[];
  on?: Instance;
}

export interface Scenario {
  endpoint: AnyEndpoint;
  as: Player;
  /** The first one is the base of the refusals that the runner derives from the endpoint's declaration. */
  good: Readonly<Record<string, Good>>;
  /** Mistakes that people make. */
  mistakes?: Readonly<Record<string, Refusal>>;
  /** Refusals for what was asked, such as those that need a state. */
  refusals?: Readonly<Record<string, Refusal>>;
  /** The request that counts towards its rate limit, where the first good one does not. */
  counted?: Ask;
  /** What the query planner should see besides all of the above. */
  atScale?: Readonly<Record<string, AtScale>>;
  /** Declared codes that no request can produce, and why. */
  never?: Readonly<Partial<Record<ProblemCode, string>>>;
  /** Who may, by circumstance; every route of the back office has a row. */
  access?: Readonly<Record<string, AccessRow>>;
  /** Why no refusal of it can be written to the event log. */
  unauditedRefusal?: string;
}

export interface AtScale extends Ask {
  /** Of the problem; a success where absent. */
  code?: ProblemCode;
  /** Milliseconds between `after` and the request. */
  pauseMs?: number;
}

export function scenario(definition: Scenario): Scenario {
  return definition;
}
