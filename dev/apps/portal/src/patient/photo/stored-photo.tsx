import { useEffect, useState } from 'preact/hooks';
import { loadPhoto } from '../../gateway/gateway.ts';

/** A photo that the gateway stores, fetched with the access token, which an `<img src>` cannot send. */
export function StoredPhoto({ path, alt }: { path: string; alt: string }) {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    let shown: string | undefined;
    async function show() {
      const photo = await loadPhoto(path, 'thumbnail', leaving.signal);
      if (!photo.ok) return;
      shown = URL.createObjectURL(photo.value);
      setSource(shown);
    }
    show().catch(() => {}); // unmounted before it arrived
    return () => {
      leaving.abort();
      if (shown !== undefined) URL.revokeObjectURL(shown);
    };
  }, [path]);
  return source === undefined ? <div class="photo empty" /> : <img class="photo" src={source} alt={alt} />;
}
