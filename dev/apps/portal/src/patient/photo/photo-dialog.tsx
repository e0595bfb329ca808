import type { CaseImage } from 'dermagate-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../../i18n/language.ts';
import { Loading } from '../../ui/loading.tsx';
import { usePhoto } from '../../ui/use-photo.ts';

interface PhotoDialogProps {
  photo: Pick<CaseImage, 'url' | 'widthPx' | 'heightPx'>;
  alt: string;
  onClose: () => void;
}

/** A photo as large as the screen; in full size it is moved by scrolling. Escape closes it. */
export function PhotoDialog({ photo: { url: path, widthPx, heightPx }, alt, onClose }: PhotoDialogProps) {
  const { folder } = texts.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const [isFull, setFull] = useState(false);
  const { url, failure } = usePhoto(path, 'original');
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="photo-dialog" ref={dialog} aria-label={alt} onClose={onClose}>
      <div class="bar">
        <button type="button" class="secondary" aria-pressed={isFull} onClick={() => setFull(!isFull)}>
          {isFull ? folder.fitSize : folder.fullSize}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          {folder.closePhoto}
        </button>
      </div>
      <div class={isFull ? 'stage full' : 'stage'} tabIndex={0} role="region" aria-label={alt}>
        {failure !== undefined && <p role="alert">{folder.photoMissing}</p>}
        {url === undefined && failure === undefined && <Loading />}
        {url !== undefined && <img src={url} alt={alt} width={widthPx} height={heightPx} />}
      </div>
    </dialog>
  );
}
