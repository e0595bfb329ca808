/** Seconds before each further attempt, where the reply has no `Retry-After`. */
const BACKOFF = [1, 2, 4];
/** Seconds. A reply that asks for a longer wait is returned unchanged. */
const LONGEST_WAIT = 10;

export interface RetryPolicy<Reply> {
  /** Seconds before each further attempt, where the reply has no `Retry-After`; as many further attempts. */
  backoff?: readonly number[];
  /** Seconds. A reply that asks for a longer wait is returned unchanged. */
  longestWait?: number;
  /** Whether another attempt may get a better reply. By default 429 and 5xx. */
  isTemporary?: (reply: Reply) => boolean;
  /** Whether another attempt may get a reply after this reason for having none. By default always. */
  isTransient?: (reason: unknown) => boolean;
  /** Asked after each wait: whether to try again, or to end with what the last attempt got. By default always. */
  mayRepeat?: () => Promise<boolean>;
  /** Ends the waits between attempts. */
  signal?: AbortSignal | undefined;
}

/**
 * Repeats an attempt that fails temporarily: no reply, 429 or 5xx. Returns the last reply.
 * @throws when the last attempt gets no reply.
 */
export async function withRetry<Reply extends { response: Response }>(
  attempt: () => Promise<Reply>,
  {
    backoff = BACKOFF,
    longestWait = LONGEST_WAIT,
    isTemporary = ({ response: { status } }) => status === 429 || status >= 500,
    isTransient = () => true,
    mayRepeat = async () => true,
    signal,
  }: RetryPolicy<Reply> = {},
): Promise<Reply> {
  for (const pause of backoff) {
    const outcome = await attempt().then(
      (reply) => ({ reply }),
      (reason: unknown) => ({ reason }),
    );
    if ('reason' in outcome) {
      if (!isTransient(outcome.reason)) throw outcome.reason;
      await wait(pause, signal);
      if (!(await mayRepeat())) throw outcome.reason;
    } else {
      const { reply } = outcome;
      const seconds = secondsToWait(reply.response.headers) ?? pause;
      if (!isTemporary(reply) || seconds > longestWait) return reply;
      await wait(seconds, signal);
      if (!(await mayRepeat())) return reply;
    }
  }
  return await attempt();
}

/** Seconds, from `Retry-After`, which proxies also send as a date. */
export function secondsToWait(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
  });
}
