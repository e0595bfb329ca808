import { Problem, type ProblemCode } from '../../contract/problem.ts';

/** Why a call of the AI service gave nothing usable; `busy`: it was not made, too many are under way. */
export type AiFailureKind = 'unavailable' | 'timeout' | 'invalid_reply' | 'busy';

interface AiFailureInit {
  cause?: unknown;
  retryAfterSeconds?: number;
  cancelled?: boolean;
}

/** What went wrong upstream stays in `cause`, for the log; it never reaches a caller of ours. */
export class AiFailure extends Error {
  readonly kind: AiFailureKind;
  /** The AI service's route, such as `red_flags`. */
  readonly route: string;
  /** When trying again makes sense at the earliest. */
  readonly retryAfterSeconds: number;
  /** Nobody waited any more because another call had failed: says nothing about the service. */
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

/** Says which AI call failed and whether trying again helps. */
export function aiProblem(failure: AiFailure, code: ProblemCode = codes[failure.kind]): Problem {
  const what = {
    unavailable: 'could not be reached',
    timeout: 'did not answer in time',
    invalid_reply: 'gave an answer that cannot be used',
    busy: 'was not made, because too many are under way',
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
