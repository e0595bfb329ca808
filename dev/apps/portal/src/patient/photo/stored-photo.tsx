import { useEffect } from 'preact/hooks';
import { usePhoto } from '../../ui/use-photo.ts';

interface StoredPhotoProps {
  path: string;
  alt: string;
  /** It is on the screen, or cannot be. */
  onSettled?: () => void;
}

/** The thumbnail of a stored photo; its place is reserved before it arrives. */
export function StoredPhoto({ path, alt, onSettled }: StoredPhotoProps) {
  const { url, failure } = usePhoto(path, 'thumbnail');
  useEffect(() => {
    if (failure !== undefined) onSettled?.();
  }, [failure]);
  if (url === undefined) return <div class="photo empty" />;
  return <img class="photo" src={url} alt={alt} onLoad={onSettled} onError={onSettled} />;
}
