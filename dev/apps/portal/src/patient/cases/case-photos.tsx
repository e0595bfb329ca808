import type { CaseImage } from 'dermagate-client';
import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { StoredPhoto } from '../photo/stored-photo.tsx';

export function CasePhotos({ images }: { images: readonly CaseImage[] }) {
  const { cases } = texts.value;
  if (images.length === 0) return null;
  return (
    <section class="part" aria-labelledby="photos">
      <h2 id="photos">{cases.photos}</h2>
      <ul class="photos">
        {images.map(({ uuid, url, quality }, index) => (
          <li key={uuid}>
            <StoredPhoto path={url} alt={fill(cases.photo, { number: number(index + 1) })} />
            {quality?.isValid === false && <span class="tag">{cases.unusable}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
