import { DermagateError } from 'dermagate-client';
import { type Failure, failureOf } from './failure.ts';

export type Outcome<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** Makes a call and returns every failure as a value. Rejects only when `given` is aborted. */
export async function attempt<Value>(
  call: (signal: AbortSignal | undefined) => Promise<Value>,
  given?: AbortSignal,
): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await call(given) };
  } catch (reason) {
    if (!(reason instanceof DermagateError)) throw reason;
    return { ok: false, failure: failureOf(reason) };
  }
}
