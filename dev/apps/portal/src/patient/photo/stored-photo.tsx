import { usePhoto } from '../../ui/use-photo.ts';

/** The thumbnail of a stored photo; its place is reserved before it arrives. */
export function StoredPhoto({ path, alt }: { path: string; alt: string }) {
  const { url } = usePhoto(path, 'thumbnail');
  return url === undefined ? <div class="photo empty" /> : <img class="photo" src={url} alt={alt} />;
}
