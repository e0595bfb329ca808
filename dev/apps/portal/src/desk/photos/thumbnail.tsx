import { usePhoto } from '../../ui/use-photo.ts';
import { photoPath } from './viewed-photo.ts';

/** A small photo in a square that is reserved for it. */
export function Thumbnail({ uuid, alt }: { uuid: string; alt: string }) {
  const { url } = usePhoto(photoPath(uuid), 'thumbnail');
  return url === undefined ? <span class="thumbnail" /> : <img class="thumbnail" src={url} alt={alt} />;
}
