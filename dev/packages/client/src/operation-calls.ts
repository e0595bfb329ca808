// Every operation of the document by its id, apart from the calls that have names of their own.
import type { ParseAs } from 'openapi-fetch';
import type { CallOptions } from './call-options.ts';
import type { Init, Method, PathsWith } from './calls.ts';
import type { Dermagate } from './create-dermagate.ts';
import type { Data, NamedCalls } from './named-calls.ts';
import { operations } from './operations.ts';

type Operations = typeof operations;

type OperationCall<M extends Method, Path extends PathsWith<M>> = <As extends ParseAs = 'json'>(
  ...args: object extends Init<M, Path, As>
    ? [init?: Init<M, Path, As>, options?: CallOptions]
    : [init: Init<M, Path, As>, options?: CallOptions]
) => Promise<Data<M, Path, As>>;

export type OperationCalls = {
  readonly [Id in keyof Operations]: Operations[Id] extends readonly [infer M, infer Path]
    ? M extends Method
      ? Path extends PathsWith<M>
        ? OperationCall<M, Path>
        : never
      : never
    : never;
};

/**
 * Every operation by its id, such as `operationCalls(api).getMe()`: with the session, the errors and the retries of the
 * named calls. A POST is repeated only with an idempotency key, and `lang` is the caller's to name.
 */
export function operationCalls({ transport }: Pick<Dermagate, 'transport'>): OperationCalls {
  const named = transport.named as Pick<NamedCalls, Method> as Readonly<
    Record<Method, (path: string, init: object, options: CallOptions) => Promise<unknown>>
  >;
  const calls = Object.entries(operations).map(
    ([id, [method, path]]) =>
      [id, (init: object = {}, options: CallOptions = {}) => named[method](path, init, options)] as const,
  );
  return Object.fromEntries(calls) as OperationCalls;
}
