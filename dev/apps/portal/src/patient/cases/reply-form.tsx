import { batch } from '@preact/signals';
import type { MobileCase } from 'dermagate-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { updateCase } from '../../gateway/case-calls.ts';
import { withoutControls } from '../../gateway/without-controls.ts';
import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { FileChoice } from '../photo/file-choice.tsx';
import { type TakenPhoto, takePhoto } from '../photo/taken-photo.ts';
import { unsentOf } from '../../session/unsent.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { CameraIcon, PictureIcon } from '../../ui/icons.tsx';
import { nameOf } from './case-content.ts';
import { CurrentConsent } from './current-consent.tsx';
import { NewPhoto, storedPath } from './new-photo.tsx';
import { useReadOnConflict } from './own-cases.ts';
import { requestsOf } from './requests-of.ts';
import { useOnce } from '../../query/use-once.ts';

const MAX_PHOTOS = 10;

const NONE: readonly TakenPhoto[] = [];
const forgetAll = (photos: readonly TakenPhoto[]) => photos.forEach(({ forget }) => forget());

interface ReplyFormProps {
  shown: MobileCase;
  onDone: (changed: MobileCase) => void;
}

/**
 * What was asked for: new photos, the consent, and words. A photo takes two taps: one opens the camera, one sends; the
 * second may come while the photo is still being stored.
 */
export function ReplyForm({ shown, onDone }: ReplyFormProps) {
  const { cases, folder, photo } = texts.value;
  const unsentPhotos = unsentOf<readonly TakenPhoto[]>(`reply photos ${shown.uuid}`, NONE, forgetAll);
  const unsentMessage = unsentOf(`reply ${shown.uuid}`, '');
  const taken = unsentPhotos.value;
  const message = unsentMessage.value;
  // Words typed before the session ended must be seen before they are sent.
  const [hasWords] = useState(message !== '');
  const { busy, failure, run, show } = useOnce();
  useReadOnConflict(shown.uuid, failure);
  const form = useRef<HTMLFormElement>(null);
  const wants = requestsOf(shown);
  const [accepted, setAccepted] = useState<string>();
  const [refused, setRefused] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const paths = taken.flatMap((one) => storedPath(one) ?? []);
  const isStoring = taken.some(({ stage }) => ['preparing', 'storing'].includes(stage.value.stage));
  const failed = taken.filter(isToStoreAgain);
  useEffect(() => {
    if (!isWaiting || isStoring) return;
    setWaiting(false);
    if (paths.length === taken.length) send();
  }, [isWaiting, isStoring]);

  function send() {
    // Sent without it, a photo would be gone with the reply.
    failed.forEach(({ again }) => again());
    if (isStoring || failed.length > 0) return setWaiting(true);
    if (wants.photos && paths.length === 0)
      return show({ code: 'validation_error', fields: { '/images': 'required' } });
    const isConsentMissing = wants.consent && accepted === undefined;
    setRefused(isConsentMissing);
    if (isConsentMissing) return form.current?.querySelector<HTMLElement>('input[name=consent]')?.focus();
    const body = {
      uuid: shown.uuid,
      version: shown.version,
      images: imagesWith(shown, paths),
      submit: true,
      ...(wants.consent && accepted && { consent: { version: accepted, accepted: true as const } }),
      ...(message.trim() !== '' && { message: withoutControls(message).trim() }),
    };
    void run(
      () => updateCase(body),
      (changed) => {
        forgetAll(taken);
        // What was added while it was being sent is not sent yet.
        batch(() => {
          unsentPhotos.value = unsentPhotos.peek().filter((one) => !taken.includes(one));
          if (unsentMessage.peek() === message) unsentMessage.value = '';
        });
        onDone(changed);
      },
    );
  }

  const add = (file: Blob) => {
    unsentPhotos.value = [...unsentPhotos.peek(), takePhoto(file)];
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('button[type=submit]')?.focus());
  };
  const words = (
    <label>
      {cases.message}
      <textarea
        name="message"
        dir="auto"
        rows={3}
        maxLength={2000}
        value={message}
        onInput={({ currentTarget }) => (unsentMessage.value = currentTarget.value)}
      />
    </label>
  );
  return (
    <form
      ref={form}
      class={wants.photos ? 'reply asks-photos' : 'reply'}
      noValidate
      aria-busy={busy || isWaiting}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {taken.map((one, index) => (
        <NewPhoto
          key={one.preview}
          photo={one}
          alt={fill(cases.photo, { number: number(index + 1) })}
          onRemove={() => {
            one.forget();
            unsentPhotos.value = taken.filter((other) => other !== one);
          }}
        />
      ))}
      <div class="photo-sources">
        <FileChoice camera onPhoto={add}>
          <CameraIcon /> {photo.cameraApp}
        </FileChoice>
        <FileChoice onPhoto={add}>
          <PictureIcon /> {photo.choose}
        </FileChoice>
      </div>
      {wants.photos ? (
        <details open={hasWords}>
          <summary>{folder.addMessage}</summary>
          {words}
        </details>
      ) : (
        words
      )}
      {wants.consent && (
        <CurrentConsent
          accepted={accepted}
          onChange={setAccepted}
          error={refused && accepted === undefined ? cases.consentMissing : undefined}
          failure={failure}
        />
      )}
      {failure?.fields['/images'] === 'required' && failure.code === 'validation_error' ? (
        <p class="field-error" role="alert">
          {cases.replyNeedsPhoto}
        </p>
      ) : (
        failure !== undefined && <FailureNotice failure={failure} />
      )}
      <button type="submit" aria-busy={busy || isWaiting}>
        {cases.reply}
      </button>
    </form>
  );
}

/** Whether another attempt can store the photo; of a file that is none the patient takes another. */
function isToStoreAgain({ stage: { value: now } }: TakenPhoto): boolean {
  return now.stage === 'not-stored' && now.failure.code !== 'invalid_image';
}

/** Photos that are not good enough are replaced; where all places are taken, the oldest are. */
function imagesWith({ images }: MobileCase, paths: readonly string[]): { name: string }[] {
  const kept = images.filter(({ quality }) => paths.length === 0 || quality?.isValid !== false);
  const names = new Map(kept.map(({ uuid, name }) => [uuid, name]));
  for (const path of paths) names.set(nameOf(path), names.get(nameOf(path)) ?? nameOf(path));
  return [...names.values()].map((name) => ({ name })).slice(-MAX_PHOTOS);
}
