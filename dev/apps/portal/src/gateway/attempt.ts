import { type Failure, failureOf, failureOfNoReply } from './failure.ts';

export type Outcome<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** Milliseconds. The gateway gives the AI service 10 s by default and then reports the timeout itself. */
const TIMEOUT = 30_000;

type Reply<Value> = { data?: Value | undefined; error?: unknown; response: Response };

/** Makes a call and returns every failure as a value. Rejects only when `given` is aborted. */
export async function attempt<Value>(
  call: (signal: AbortSignal) => Promise<Reply<Value>>,
  given?: AbortSignal,
): Promise<Outcome<Value>> {
  const timeout = AbortSignal.timeout(TIMEOUT);
  try {
    const { data, error, response } = await call(given ? AbortSignal.any([given, timeout]) : timeout);
    if (!response.ok) return { ok: false, failure: failureOf(error, response) };
    return { ok: true, value: data as Value };
  } catch (reason) {
    if (given?.aborted) throw reason;
    return { ok: false, failure: failureOfNoReply(reason) };
  }
}
