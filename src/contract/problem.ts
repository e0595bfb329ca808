import { problems } from './problem-list.ts';

export type ProblemCode = keyof typeof problems;

/** One refused field: `pointer` is an RFC 6901 JSON Pointer into the submitted document. */
export interface FieldError {
  pointer: string;
  code: string;
  message: string;
}

/** What is known about a refused caller beyond the actor: for the event log and the request's log line. */
export interface RefusedParty {
  tenantId?: number | undefined;
  userId?: number | undefined;
  sessionUuid?: string | undefined;
  /** For the event log only, where the caller learns no more than a code. */
  reason?: string;
}

export interface ProblemInit {
  /** A sentence for developers. Never contains internals (SQL, stack, upstream body) or submitted values. */
  detail?: string;
  errors?: readonly FieldError[];
  headers?: Readonly<Record<string, string>>;
  /** Members of the problem object beyond the usual ones; the OpenAPI document lists them. Never personal data. */
  members?: Readonly<Record<string, unknown>>;
  /** Seconds until the same request can succeed: the header `Retry-After`. */
  retryAfter?: number;
  cause?: unknown;
  /** The object that the reply hides from this caller, existing or not: the event log gets `authz_fail` about it. */
  conceals?: { kind: string; uuid: string };
  about?: RefusedParty;
}

/** By thrown value: errors of the database or of the AI service have no room for it. */
const parties = new WeakMap<object, RefusedParty>();

/** Thrown anywhere below `serve()`, which turns it into `application/problem+json` (RFC 9457). */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: string | undefined;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;
  readonly conceals: { kind: string; uuid: string } | undefined;

  constructor(code: ProblemCode, init: ProblemInit = {}) {
    super(init.detail ?? problems[code].title, { cause: init.cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = init.detail;
    this.errors = init.errors;
    this.members = init.members ?? {};
    const { retryAfter } = init;
    this.headers = {
      ...init.headers,
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    };
    this.conceals = init.conceals;
    if (init.about !== undefined) parties.set(this, init.about);
  }

  get status(): number {
    return problems[this.code].status;
  }
}

/** What is known about the caller whom `thrown` refuses. */
export function refusedParty(thrown: unknown): RefusedParty {
  return (typeof thrown === 'object' && thrown !== null && parties.get(thrown)) || {};
}

/** Runs `work` and adds `about` to any error it throws. What the error already carries wins. */
export async function concerning<T>(about: RefusedParty, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (typeof error === 'object' && error !== null) parties.set(error, { ...about, ...refusedParty(error) });
    throw error;
  }
}
