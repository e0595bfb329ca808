import { usePhoto } from './use-photo.ts';

/** A small photo in a square that is reserved for it. */
export function Thumbnail({ uuid, alt }: { uuid: string; alt: string }) {
  const { url } = usePhoto(uuid, 'thumbnail');
  return url === undefined ? <span class="thumbnail" /> : <img class="thumbnail" src={url} alt={alt} />;
}
