import { useEffect } from 'preact/hooks';
import { language, texts } from '../../i18n/language.ts';
import type { TakenPhoto } from '../photo/taken-photo.ts';
import { StageText } from '../questions/photo-verdict.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';

/** The address of a photo that the gateway has stored; undefined before. */
export function storedPath({ stage: { value: now } }: TakenPhoto): string | undefined {
  return 'path' in now ? now.path : undefined;
}

/** A photo to be added, with the gateway's verdict on it. */
export function NewPhoto({ photo, alt, onRemove }: { photo: TakenPhoto; alt: string; onRemove: () => void }) {
  useEffect(photo.translate, [language.value]);
  useEffect(photo.resume, []);
  const now = photo.stage.value;
  return (
    <div class="verdict">
      {now.stage !== 'unreadable' && <img class="photo" src={photo.preview} alt={alt} />}
      <div role="status">
        <StageText stage={now} />
      </div>
      {'failure' in now && (
        <FailureNotice
          failure={now.failure}
          {...(now.stage === 'not-judged' && { note: texts.value.photo.notChecked })}
          {...(now.failure.code !== 'invalid_image' && { onRetry: photo.again })}
        />
      )}
      <button type="button" class="secondary outline" onClick={onRemove}>
        {texts.value.photo.retake}
      </button>
    </div>
  );
}
