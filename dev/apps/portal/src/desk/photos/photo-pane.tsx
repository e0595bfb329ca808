import { useEffect, useRef, useState } from 'preact/hooks';
import { percent } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { usePhoto } from '../../ui/use-photo.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { openViewer, type Viewer, zoomOf } from './open-seadragon.ts';
import { photoPath, type ViewedPhoto } from './viewed-photo.ts';

export interface Light {
  /** Percent; 100 is as taken. */
  brightness: number;
  contrast: number;
}

interface PhotoPaneProps {
  photo: ViewedPhoto;
  light: Light;
  /** Undefined when it is gone. */
  onViewer: (viewer: Viewer | undefined) => void;
}

/** One photo at full size. */
export function PhotoPane({ photo, light, onViewer }: PhotoPaneProps) {
  const { photos: words } = deskTexts.value;
  const element = useRef<HTMLDivElement>(null);
  const { url, failure, again } = usePhoto(photoPath(photo.uuid), 'original');
  const [zoom, setZoom] = useState(0);
  useEffect(() => {
    if (url === undefined || element.current === null) return undefined;
    const viewer = openViewer(element.current, url);
    const note = () => setZoom(zoomOf(viewer));
    viewer.addHandler('open', note);
    viewer.addHandler('animation', note);
    onViewer(viewer);
    return () => {
      onViewer(undefined);
      viewer.destroy();
    };
  }, [url]);
  const filter = `brightness(${light.brightness}%) contrast(${light.contrast}%)`;
  return (
    <figure class="pane">
      <div ref={element} class="canvas" role="img" aria-label={photo.label} style={{ filter }} />
      {url === undefined && failure === undefined && (
        <p class="over" role="status" aria-busy="true">
          {words.loading}
        </p>
      )}
      {failure !== undefined && (
        <div class="over">
          <DeskFailure failure={failure} onRetry={again} />
        </div>
      )}
      <figcaption>
        {photo.label}
        {zoom > 0 && <span> · {fill(words.zoomed, { percent: percent(zoom) })}</span>}
      </figcaption>
    </figure>
  );
}
