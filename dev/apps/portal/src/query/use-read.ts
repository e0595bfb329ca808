import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import type { Outcome } from '../gateway/attempt.ts';
import type { Failure } from '../gateway/failure.ts';
import { language } from '../i18n/language.ts';
import { FailedRead, queryClient } from './query-client.ts';

export interface Read<Value> {
  /** The last value that was read; stays while it is read again, even in vain. */
  value: Value | undefined;
  /** Why the last attempt failed. */
  failure: Failure | undefined;
  /** Whether a call is under way. */
  busy: boolean;
  again: () => void;
}

export interface ReadOptions {
  /** Milliseconds after which it is read again while the page is visible. */
  every?: number;
  /** False while something it needs is unknown. */
  enabled?: boolean;
  /** Shows what was read for the previous key until the new one is there, such as the page of a list. */
  keepsPrevious?: boolean;
  /** After a change of the language shows what was read before it until the new reply, and when there is none. */
  survivesLanguage?: boolean;
  /** Never read again: it cannot change, such as a photo. */
  unchanging?: boolean;
}

/**
 * Reads through the shared cache: once for all components with the same key and language, and again when the window
 * gets the focus.
 */
export function useRead<Value>(
  key: readonly unknown[],
  call: (signal: AbortSignal) => Promise<Outcome<Value>>,
  {
    every,
    enabled = true,
    keepsPrevious = false,
    survivesLanguage = false,
    unchanging = false,
  }: ReadOptions = {},
): Read<Value> {
  const query = useQuery<Value, FailedRead>({
    queryKey: [...key, language.value],
    queryFn: async ({ signal }) => {
      const outcome = await call(signal);
      if (!outcome.ok) throw new FailedRead(outcome.failure);
      return outcome.value;
    },
    enabled,
    ...(every !== undefined && { refetchInterval: every }),
    ...(unchanging && { staleTime: Infinity }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
  const newest = useNewest(survivesLanguage ? query : undefined, JSON.stringify(key));
  return {
    value: survivesLanguage ? newest : query.data,
    failure: query.error?.failure,
    busy: query.isFetching,
    again: () => void query.refetch(),
  };
}

interface ReadState<Value> {
  data: Value | undefined;
  dataUpdatedAt: number;
  isPlaceholderData: boolean;
  isStale: boolean;
}

/**
 * The newest value of any language, so that an older one from the cache hides nothing that has happened since. Where the
 * cache is fresh, nothing is read again, and the current language counts. Never a value of another `about`.
 */
function useNewest<Value>(read: ReadState<Value> | undefined, about: string): Value | undefined {
  const last = useRef<{ about: string; value: Value; at: number }>(undefined);
  if (read === undefined) return undefined;
  const { data, dataUpdatedAt: at } = read;
  const before = last.current?.about === about ? last.current : undefined;
  const isOutdated = before !== undefined && before.at > at && read.isStale;
  if (data === undefined || read.isPlaceholderData || isOutdated) return before?.value ?? data;
  last.current = { about, value: data, at };
  return data;
}

/** Marks everything whose key begins with `key` as outdated, and reads again what is on the screen. */
export const readAgain = (key: readonly unknown[]): void =>
  void queryClient.invalidateQueries({ queryKey: key });

/** Puts what a call returned in the place of what was read. */
export const setRead = (key: readonly unknown[], value: unknown): void =>
  void queryClient.setQueryData([...key, language.value], value);
