import { useEffect, useState } from 'preact/hooks';
import { loadPhoto } from '../../gateway/gateway.ts';

/** A photo that the gateway stores, fetched with the access token, which an `<img src>` cannot send; undefined until then. */
export function useStoredPhoto(path: string, variant: 'original' | 'thumbnail') {
  const [source, setSource] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    let shown: string | undefined;
    async function show() {
      const photo = await loadPhoto(path, variant, leaving.signal);
      setMissing(!photo.ok);
      if (!photo.ok) return;
      shown = URL.createObjectURL(photo.value);
      setSource(shown);
    }
    show().catch(() => {}); // unmounted before it arrived
    return () => {
      leaving.abort();
      if (shown !== undefined) URL.revokeObjectURL(shown);
    };
  }, [path, variant]);
  return { source, isMissing };
}
