import type { CaseImage } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { PhotoDialog } from '../photo/photo-dialog.tsx';
import { StoredPhoto } from '../photo/stored-photo.tsx';

/** The photos of a case as thumbnails; each opens in full. */
export function CasePhotos({ images }: { images: readonly CaseImage[] }) {
  const { cases, folder } = texts.value;
  const [opened, setOpened] = useState<number>();
  if (images.length === 0) return null;
  const altOf = (index: number) => fill(cases.photo, { number: number(index + 1) });
  const shown = opened === undefined ? undefined : images[opened];
  return (
    <section class="part" aria-labelledby="photos">
      <h2 id="photos">{cases.photos}</h2>
      <ul class="photos">
        {images.map(({ uuid, url, quality }, index) => (
          <li key={uuid}>
            <button
              type="button"
              class="thumbnail"
              aria-label={fill(folder.openPhoto, { number: number(index + 1) })}
              onClick={() => setOpened(index)}
            >
              <StoredPhoto path={url} alt="" />
            </button>
            {quality?.isValid === false && <span class="tag">{cases.unusable}</span>}
          </li>
        ))}
      </ul>
      {shown !== undefined && opened !== undefined && (
        <PhotoDialog
          key={shown.uuid}
          photo={shown}
          alt={altOf(opened)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  );
}
