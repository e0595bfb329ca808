import { isProblem } from './problem.ts';
import type { FieldError, Problem, ProblemCode } from './schema.ts';
import { secondsToWait } from './with-retry.ts';

/**
 * A problem code of the gateway, or: `no_reply` (offline, or the connection broke), `timeout`, `unexpected_reply` (the page of
 * a proxy or captive portal, with any status).
 */
export type ErrorCode = ProblemCode | 'no_reply' | 'timeout' | 'unexpected_reply';

const UNEXPECTED = 'The reply is none of the gateway.';

interface Details {
  code: ErrorCode;
  title: string;
  problem?: Problem;
  response?: Response;
  cause?: unknown;
}

/** Why a named call has no result. */
export class DermagateError extends Error {
  override readonly name = 'DermagateError';
  readonly code: ErrorCode;
  /** HTTP status; undefined without a reply. */
  readonly status: number | undefined;
  /** What the code means, in English; the same for every occurrence. */
  readonly title: string;
  /** What went wrong in this case, in English; for developers. */
  readonly detail: string | undefined;
  /** Every refused field, by its JSON Pointer. */
  readonly errors: readonly FieldError[];
  /** Seconds until another attempt is accepted. */
  readonly retryAfter: number | undefined;
  /** Support finds the request by it. */
  readonly requestId: string | undefined;
  /** All of the reply, such as `current_status` and `allowed_actions` with `case_state_conflict`. */
  readonly problem: Problem | undefined;
  /** Headers of the reply. */
  readonly headers: Headers;

  constructor({ code, title, problem, response, cause }: Details) {
    super(problem?.detail ?? title, { cause });
    this.code = code;
    this.status = response?.status;
    this.title = title;
    this.detail = problem?.detail;
    this.errors = problem?.errors ?? [];
    this.headers = response?.headers ?? new Headers();
    const seconds = secondsToWait(this.headers);
    this.retryAfter = seconds === undefined ? undefined : Math.ceil(seconds);
    this.requestId = problem?.requestId ?? this.headers.get('x-request-id') ?? undefined;
    this.problem = problem;
  }
}

/** The error behind an unsuccessful reply. `body` is a problem, or the text of a reply that is not the gateway's. */
export function errorOfReply(body: unknown, response: Response): DermagateError {
  if (isProblem(body))
    return new DermagateError({ code: body.code, title: body.title, problem: body, response });
  return new DermagateError({ code: 'unexpected_reply', title: UNEXPECTED, response, cause: body });
}

/** The error behind a call that rejects: no reply arrived, or one that is no JSON although its status is a success. */
export function errorOfNoReply(reason: unknown): DermagateError {
  if (reason instanceof SyntaxError) {
    return new DermagateError({ code: 'unexpected_reply', title: UNEXPECTED, cause: reason });
  }
  return (reason as { name?: unknown } | undefined)?.name === 'TimeoutError'
    ? new DermagateError({ code: 'timeout', title: 'No reply arrived in time.', cause: reason })
    : new DermagateError({ code: 'no_reply', title: 'No reply arrived.', cause: reason });
}
