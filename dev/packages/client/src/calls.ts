import type { FetchResponse, MaybeOptionalInit, Middleware, ParseAs } from 'openapi-fetch';
import type { paths } from './schema.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends object ? Path : never;
}[keyof paths];

export type Init<M extends Method, Path extends PathsWith<M>, As> = MaybeOptionalInit<paths[Path], M> & {
  parseAs?: As;
};

/** `{ data, response }` or `{ error, response }`. */
export type Reply<M extends Method, Path extends PathsWith<M>, As extends ParseAs = 'json'> = FetchResponse<
  NonNullable<paths[Path][M]>,
  { parseAs: As },
  `${string}/${string}`
>;

/**
 * A call of openapi-fetch, with one difference: fields outside the contract are type errors in a literal body too.
 * openapi-fetch infers the type of `init` from the argument, so a misspelt optional field would go unnoticed.
 */
type Call<M extends Method> = <Path extends PathsWith<M>, As extends ParseAs = 'json'>(
  path: Path,
  ...init: object extends Init<M, Path, As> ? [Init<M, Path, As>?] : [Init<M, Path, As>]
) => Promise<Reply<M, Path, As>>;

/** Every operation of the gateway, by method and path. */
export interface Calls {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  PATCH: Call<'patch'>;
  DELETE: Call<'delete'>;
  /** Adds middleware of openapi-fetch. It also sees the requests that open, refresh and end the session. */
  use(...middleware: Middleware[]): void;
  eject(...middleware: Middleware[]): void;
}
