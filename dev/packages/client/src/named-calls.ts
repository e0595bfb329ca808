import type { ParseAs } from 'openapi-fetch';
import type { CallOptions, KeyOptions, RetryOptions, TenantOptions, TextOptions } from './call-options.ts';
import type { Calls, Init, Method, PathsWith, Reply } from './calls.ts';
import { DermagateError, errorOfNoReply, errorOfReply } from './dermagate-error.ts';
import { isProblem } from './problem.ts';
import type { Language } from './schema.ts';
import type { ProgressListener } from './upload.ts';
import { withRetry } from './with-retry.ts';

/** Milliseconds. The gateway gives the AI service 10 s by default and then reports the timeout itself. */
const TIMEOUT = 30_000;
const ATTEMPTS = 3;
/** Seconds before each further attempt, where no reply has named a time for it. */
const BACKOFF = [1, 2, 4, 8, 8];

/** What the reply contains; nothing where it has no body. */
export type Data<M extends Method, Path extends PathsWith<M>, As extends ParseAs = 'json'> = Extract<
  Reply<M, Path, As>,
  { data: unknown }
>['data'] extends infer Value
  ? [Value] extends [undefined]
    ? void
    : Value
  : never;

type SettleOptions = CallOptions & { onProgress?: ProgressListener | undefined };

type NamedCall<M extends Method> = <Path extends PathsWith<M>, As extends ParseAs = 'json'>(
  path: Path,
  init: Init<M, Path, As>,
  options: SettleOptions,
) => Promise<Data<M, Path, As>>;

/**
 * The calls that the named methods are made of: they resolve with the data of the reply, and reject with a
 * {@link DermagateError}, or with the reason of the caller's signal.
 */
export interface NamedCalls {
  get: NamedCall<'get'>;
  /** A POST that changes nothing, which is repeated as a GET is. */
  ask: NamedCall<'post'>;
  post: NamedCall<'post'>;
  put: NamedCall<'put'>;
  patch: NamedCall<'patch'>;
  delete: NamedCall<'delete'>;
  /** The query that names the language of the reply's texts. */
  inLanguage(options: TextOptions): { lang?: Language };
}

export interface CallDefaults {
  /** The language of texts where a call names none. */
  language?: (() => Language | undefined) | undefined;
  /** Milliseconds that each attempt of a call may take; 30,000 where absent. */
  timeout?: number | undefined;
  /** For calls that are safe to repeat: three attempts and waits of up to ten seconds where absent. */
  retry?: RetryOptions | false | undefined;
  /** The user of the stored tokens; undefined while none is signed in. */
  user(): Promise<unknown>;
}

interface AnyReply {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** @param upload sends a request with the access token, and reports how much of it has been sent. */
export function namedCalls(
  calls: Calls,
  upload: (request: Request, onProgress: ProgressListener) => Promise<Response>,
  defaults: CallDefaults,
): NamedCalls {
  async function settle(
    send: (init: object) => Promise<AnyReply>,
    { signal, timeout = defaults.timeout ?? TIMEOUT, retry = defaults.retry, onProgress }: SettleOptions,
    { isRepeatable, isUpload }: { isRepeatable: boolean; isUpload: boolean },
  ): Promise<unknown> {
    const { attempts = ATTEMPTS, longestWait } =
      retry === false || !isRepeatable ? { attempts: 1 } : (retry ?? {});
    const attempt = async () => {
      signal?.throwIfAborted();
      const late = deadline(timeout);
      // While a photo progresses on a slow line, it is not late.
      const uploading = isUpload && {
        fetch: (request: Request) =>
          upload(request, (fraction) => {
            late.postpone();
            onProgress?.(fraction);
          }),
      };
      try {
        return await send({
          ...uploading,
          signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
        });
      } finally {
        late.clear();
      }
    };
    try {
      const caller = attempts > 1 ? await defaults.user() : undefined;
      const { data, error, response } = await withRetry(attempt, {
        backoff: BACKOFF.slice(0, attempts - 1),
        ...(longestWait !== undefined && { longestWait }),
        isTemporary: isBusy,
        isTransient: (reason) => signal?.aborted !== true && errorOfNoReply(reason).code === 'no_reply',
        // What one user has begun is not sent again as another one.
        mayRepeat: async () => caller === undefined || (await defaults.user()) === caller,
        signal,
      });
      if (!response.ok) throw errorOfReply(error, response);
      // The gateway leaves a reply empty with 204 alone.
      if (data === undefined && response.status !== 204) throw errorOfReply(data, response);
      return data;
    } catch (reason) {
      signal?.throwIfAborted();
      if (reason instanceof DermagateError) throw reason;
      throw errorOfNoReply(reason);
    }
  }

  const named = <M extends Method>(
    call: Calls[Uppercase<M>],
    isRepeatable: (init: object) => boolean = hasIdempotencyKey,
  ) => {
    const send = call as (path: string, init: object) => Promise<AnyReply>;
    return ((path: string, init: object, options: SettleOptions) =>
      settle((more) => send(path, { ...init, ...more }), options, {
        isRepeatable: isRepeatable(init),
        isUpload: hasFile(init),
      })) as NamedCall<M>;
  };

  return {
    get: named<'get'>(calls.GET, () => true),
    ask: named<'post'>(calls.POST, () => true),
    post: named<'post'>(calls.POST),
    put: named<'put'>(calls.PUT),
    patch: named<'patch'>(calls.PATCH),
    delete: named<'delete'>(calls.DELETE),
    inLanguage({ lang = defaults.language?.() }) {
      return lang === undefined ? {} : { lang };
    },
  };
}

/** The header of a write that may be repeated. */
export const withKey = ({ idempotencyKey: key }: KeyOptions) =>
  key === undefined ? {} : { 'idempotency-key': key };

/** The query of a call that may come without a token. */
export const ofTenant = ({ tenant }: TenantOptions) => (tenant === undefined ? {} : { tenant });

function hasIdempotencyKey(init: object): boolean {
  const { params } = init as { params?: { header?: { 'idempotency-key'?: string } } };
  return params?.header?.['idempotency-key'] !== undefined;
}

function hasFile(init: object): boolean {
  const { body } = init as { body?: unknown };
  const isForm = typeof body === 'object' && body !== null;
  return isForm && Object.values(body).some((part) => [part].flat().some((each) => each instanceof Blob));
}

/** Whether the gateway names a time for another attempt, or still works at an earlier one. */
function isBusy({ error, response: { status, headers } }: AnyReply): boolean {
  if (isProblem(error) && error.code === 'idempotency_in_progress') return true;
  return (status === 429 || status === 503) && headers.has('retry-after');
}

/** A signal that aborts with a `TimeoutError` after so many milliseconds, begun anew by `postpone`. */
function deadline(ms: number) {
  const controller = new AbortController();
  const end = () => controller.abort(new DOMException('No reply arrived in time.', 'TimeoutError'));
  let timer = setTimeout(end, ms);
  return {
    signal: controller.signal,
    postpone() {
      clearTimeout(timer);
      timer = setTimeout(end, ms);
    },
    clear: () => clearTimeout(timer),
  };
}
