/** What an endpoint may say it reads of a request, besides path, query and body: published as parameters. */
export type ReadFact =
  | 'lang'
  | 'tenant'
  | 'idempotency-key'
  | 'if-none-match'
  | 'if-match'
  | 'last-event-id'
  | 'range'
  | 'if-range';

/** Headers of replies that the OpenAPI document describes. */
export type HeaderName =
  | 'x-request-id'
  | 'Retry-After'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'WWW-Authenticate'
  | 'ETag'
  | 'Location'
  | 'Cache-Control'
  | 'Accept-Ranges'
  | 'Content-Disposition'
  | 'Content-Language'
  | 'Content-Range'
  | 'Idempotency-Replayed';
