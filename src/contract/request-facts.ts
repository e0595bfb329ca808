import type { Language } from './language.ts';

/** What a use case may know about the request behind it, besides its input. */
export interface RequestFacts {
  id: string;
  /** When serve() got the request. */
  receivedAt: Date;
  language: Language;
  /** From `?tenant=` or `X-Tenant`, for callers without a token. */
  tenantSlug: string;
  /** /24 or /64 of the client's address: enough to throttle and audit, too little to track a person. */
  ipPrefix: string | undefined;
  userAgent: string | undefined;
  traceparent: string;
  idempotencyKey: string | undefined;
}
