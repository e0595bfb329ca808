import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../gateway/failure.ts';
import { openPhoto } from '../gateway/gateway.ts';

interface Photo {
  /** For `<img>` and viewers, while the component is on the screen; undefined until it is loaded. */
  url: string | undefined;
  failure: Failure | undefined;
  again: () => void;
}

/** A photo that the gateway stores, fetched with the access token, which an `<img src>` cannot send. */
export function usePhoto(path: string, variant: 'original' | 'thumbnail'): Photo {
  const [loaded, setLoaded] = useState<Partial<Photo>>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    async function show() {
      const photo = await openPhoto(path, variant, leaving.signal);
      if (!photo.ok) {
        setLoaded({ failure: photo.failure });
        return;
      }
      const { url, release } = photo.value;
      leaving.signal.addEventListener('abort', release);
      if (leaving.signal.aborted) release();
      else setLoaded({ url });
    }
    show().catch(() => {}); // unmounted before it arrived
    return () => {
      leaving.abort();
      setLoaded({});
    };
  }, [path, variant, attempt]);
  return { url: loaded.url, failure: loaded.failure, again: () => setAttempt((count) => count + 1) };
}
