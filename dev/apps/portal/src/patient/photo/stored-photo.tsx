import { useStoredPhoto } from './use-stored-photo.ts';

/** The thumbnail of a stored photo; its place is reserved before it arrives. */
export function StoredPhoto({ path, alt }: { path: string; alt: string }) {
  const { source } = useStoredPhoto(path, 'thumbnail');
  return source === undefined ? <div class="photo empty" /> : <img class="photo" src={source} alt={alt} />;
}
