import { useEffect, useState } from 'preact/hooks';
import { openPhoto } from '../../gateway/gateway.ts';

/** A photo that the gateway stores, fetched with the access token, which an `<img src>` cannot send; undefined until then. */
export function useStoredPhoto(path: string, variant: 'original' | 'thumbnail') {
  const [source, setSource] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    async function show() {
      const photo = await openPhoto(path, variant, leaving.signal);
      setMissing(!photo.ok);
      if (!photo.ok) return;
      const { url, release } = photo.value;
      leaving.signal.addEventListener('abort', release);
      if (leaving.signal.aborted) release();
      else setSource(url);
    }
    show().catch(() => {}); // unmounted before it arrived
    return () => leaving.abort();
  }, [path, variant]);
  return { source, isMissing };
}
