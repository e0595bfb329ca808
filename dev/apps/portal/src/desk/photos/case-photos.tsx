import type { CaseDetail } from 'dermagate-client';
import { lazy, Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import { number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { LoadBoundary } from '../../ui/load-boundary.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { useKeys } from '../keys/use-keys.ts';
import { Thumbnail } from './thumbnail.tsx';
import { useEarlierPhotos } from './use-earlier-photos.ts';
import type { ViewedPhoto } from './viewed-photo.ts';

/** Loaded when a photo is opened for the first time. */
const PhotoViewer = lazy(() => import('./photo-viewer.tsx'));

/** The photos as thumbnails; the originals are loaded by the viewer only. */
export function CasePhotos({ shown }: { shown: CaseDetail }) {
  const { photos: words, answer } = deskTexts.value;
  const [opened, setOpened] = useState<number>();
  const earlier = useEarlierPhotos(shown, opened !== undefined);
  const own = shown.images.map(({ uuid, kind }, index): ViewedPhoto => {
    const name = fill(words.photo, { number: number(index + 1) });
    return { uuid, label: kind === null ? name : `${name}: ${words.kinds[kind]}` };
  });
  const open = () => own.length > 0 && setOpened(0);
  useKeys([{ press: 'p', label: answer.keys.photo, run: open }]);
  return (
    <section class="panel" aria-labelledby="photos">
      <h2 id="photos">{words.title}</h2>
      {own.length === 0 && <p class="small">{words.none}</p>}
      <ul class="photo-strip">
        {shown.images.map(({ uuid, quality }, index) => (
          <li key={uuid}>
            <button
              type="button"
              class="bare"
              aria-label={fill(words.open, { number: number(index + 1) })}
              onClick={() => setOpened(index)}
            >
              <Thumbnail uuid={uuid} alt="" />
            </button>
            <span class="small">{own[index]?.label}</span>
            {quality !== null && quality.issues.length > 0 && (
              <span class="tag warn">
                {fill(words.poor, { issues: quality.issues.join(', ').replaceAll('_', ' ') })}
              </span>
            )}
          </li>
        ))}
      </ul>
      {opened !== undefined && (
        <LoadBoundary>
          <Suspense fallback={null}>
            <PhotoViewer photos={[...own, ...earlier]} start={opened} onClose={() => setOpened(undefined)} />
          </Suspense>
        </LoadBoundary>
      )}
    </section>
  );
}
