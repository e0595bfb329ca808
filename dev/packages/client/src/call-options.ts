// The last argument of every named call.
import type { Language } from './schema.ts';

export interface RetryOptions {
  /** Attempts in all; six at most. */
  attempts?: number | undefined;
  /** Seconds. A reply that asks for a longer wait is not waited for. */
  longestWait?: number | undefined;
}

export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that each attempt may take; in browsers they begin anew while photos are being sent. */
  timeout?: number | undefined;
  /**
   * What is safe to repeat is repeated (reads, and writes with an idempotency key) when no reply arrives, or one that names in
   * `Retry-After` when to come back. `false` sends one request.
   */
  retry?: RetryOptions | false | undefined;
}

/** Of calls whose reply contains texts for people. */
export interface TextOptions extends CallOptions {
  /** By default the client's `language`. */
  lang?: Language | undefined;
}

/** Of calls that make something: with the same key a retry within 24 hours gets the first reply. */
export interface KeyOptions extends CallOptions {
  /** 8 to 64 letters, digits, `_` and `-`. */
  idempotencyKey?: string | undefined;
}

/** A caller without a token names the tenant. */
export interface TenantOptions extends CallOptions {
  tenant?: string | undefined;
}

/** The filters and the page of a list, without what the options name. */
export type QueryOf<Operation, InOptions extends string = 'lang' | 'tenant'> = Operation extends {
  parameters: { query?: infer Query };
}
  ? Omit<NonNullable<Query>, InOptions>
  : never;
