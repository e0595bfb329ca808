import { useEffect, useState } from 'preact/hooks';
import { loadCasePhoto } from '../../gateway/desk-calls.ts';
import type { Failure } from '../../gateway/failure.ts';
import { useRead } from '../../query/use-read.ts';

interface LoadedPhoto {
  /** For `<img>` and the viewer, while the component is on the screen. */
  url: string | undefined;
  failure: Failure | undefined;
  again: () => void;
}

/** A photo of a case, fetched with the access token, which an `<img src>` cannot send. */
export function usePhoto(uuid: string, variant: 'original' | 'thumbnail'): LoadedPhoto {
  const read = useRead(['case-photo', uuid, variant], (signal) => loadCasePhoto(uuid, variant, signal), {
    unchanging: true,
  });
  const [url, setUrl] = useState<string>();
  const blob = read.value;
  useEffect(() => {
    if (blob === undefined) return undefined;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      setUrl(undefined);
      URL.revokeObjectURL(made);
    };
  }, [blob]);
  return { url, failure: read.failure, again: read.again };
}
