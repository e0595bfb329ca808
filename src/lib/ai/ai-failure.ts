import { Problem, type ProblemCode } from '../../contract/problem.ts';

/** Why a call of the AI service gave no usable reply. `busy`: too many calls were in flight, so it was not made. */
export type AiFailureKind = 'unavailable' | 'timeout' | 'invalid_reply' | 'busy';

interface AiFailureInit {
  cause?: unknown;
  retryAfterSeconds?: number;
  cancelled?: boolean;
}

/** A failed call of the AI service. `cause` is for the log and never reaches a client. */
export class AiFailure extends Error {
  readonly kind: AiFailureKind;
  /** The AI service's route, such as `red_flags`. */
  readonly route: string;
  /** The earliest useful retry. */
  readonly retryAfterSeconds: number;
  /** We aborted the call because another one had failed; it proves nothing about the service. */
  readonly cancelled: boolean;

  constructor(
    kind: AiFailureKind,
    route: string,
    { cause, retryAfterSeconds = 5, cancelled = false }: AiFailureInit = {},
  ) {
    super(`${route}: ${kind}`, { cause });
    this.name = 'AiFailure';
    this.kind = kind;
    this.route = route;
    this.retryAfterSeconds = retryAfterSeconds;
    this.cancelled = cancelled;
  }
}

const codes: Record<AiFailureKind, ProblemCode> = {
  unavailable: 'ai_unavailable',
  timeout: 'ai_timeout',
  invalid_reply: 'ai_invalid_reply',
  busy: 'busy',
};

/** The problem for an AI failure: its detail names the call and says whether a retry can help. */
export function aiProblem(failure: AiFailure, code: ProblemCode = codes[failure.kind]): Problem {
  const what = {
    unavailable: 'could not be reached',
    timeout: 'did not answer in time',
    invalid_reply: 'gave an unusable answer',
    busy: 'was not made, because too many are in flight',
  }[failure.kind];
  const retry = failure.kind === 'invalid_reply' ? '' : ' Trying again later can help.';
  return new Problem(code, {
    detail: `The AI call ${failure.route} ${what}.${retry}`,
    ...(failure.kind !== 'invalid_reply' && {
      headers: { 'retry-after': String(failure.retryAfterSeconds) },
    }),
    cause: failure,
  });
}
