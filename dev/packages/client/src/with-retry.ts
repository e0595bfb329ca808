/** Seconds before each further attempt, where the reply has no `Retry-After`. */
const BACKOFF = [1, 2, 4];
/** Seconds. A reply that asks for a longer wait is returned unchanged. */
const LONGEST_WAIT = 10;

/**
 * Repeats an attempt that fails temporarily: no reply, 429 or 5xx. Returns the last reply.
 * @throws when the last attempt gets no reply.
 */
export async function withRetry<Reply extends { response: Response }>(
  attempt: () => Promise<Reply>,
): Promise<Reply> {
  for (const backoff of BACKOFF) {
    const reply = await attempt().catch(() => undefined);
    if (reply !== undefined && !isTemporary(reply.response)) return reply;
    const seconds = secondsAskedFor(reply?.response) ?? backoff;
    if (reply !== undefined && seconds > LONGEST_WAIT) return reply;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
  return await attempt();
}

const isTemporary = ({ status }: Response) => status === 429 || status >= 500;

/** From `Retry-After`, which proxies also send as a date. */
function secondsAskedFor(response: Response | undefined): number | undefined {
  const value = response?.headers.get('retry-after');
  if (value == null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
