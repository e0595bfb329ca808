import type { ImageValidity } from 'dermagate-client';
import { useEffect, useRef } from 'preact/hooks';
import { language, texts } from '../../i18n/language.ts';
import type { PhotoQuality } from '../intake/intake.ts';
import { type PhotoStage, qualityOf, type TakenPhoto } from '../photo/taken-photo.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { PictureIcon, WarningIcon } from '../../ui/icons.tsx';
import { type Notes, ReplyNotes } from '../../ui/reply-notes.tsx';

interface PhotoVerdictProps {
  photo: TakenPhoto;
  onUse: (path: string, quality: PhotoQuality | undefined) => void;
  onRetake: () => void;
  /** A reply whose notes are already on the page. */
  besides: Notes;
}

/** The photo just taken, the gateway's verdict, and the next steps. */
export function PhotoVerdict({
  photo: { stage, preview, again, resume, translate },
  onUse,
  onRetake,
  besides,
}: PhotoVerdictProps) {
  const { photo } = texts.value;
  useEffect(translate, [language.value]);
  useEffect(resume, []);
  const now = stage.value;
  return (
    <div class="verdict">
      {now.stage !== 'unreadable' && <img class="photo" src={preview} alt={photo.preview} />}
      <div role="status">
        <StageText stage={now} />
      </div>
      {'failure' in now && (
        <FailureNotice
          failure={now.failure}
          {...(now.stage === 'not-judged' && { note: photo.notChecked })}
          {...(now.failure.code !== 'invalid_image' && { onRetry: again })}
        />
      )}
      {now.stage === 'judged' && <ReplyNotes replies={[now.verdict]} besides={besides} />}
      {now.stage === 'judged' && (
        <Choices
          isGood={now.verdict.isValid}
          onRetake={onRetake}
          onUse={() => onUse(now.path, qualityOf(now.verdict))}
        />
      )}
      {now.stage === 'not-judged' && (
        <Choices isGood={false} onRetake={onRetake} onUse={() => onUse(now.path, undefined)} />
      )}
      {(now.stage === 'unreadable' || now.stage === 'not-stored') && (
        <Choices isGood={false} onRetake={onRetake} />
      )}
    </div>
  );
}

interface ChoicesProps {
  isGood: boolean;
  onRetake: () => void;
  /** Without it the photo cannot be used. */
  onUse?: () => void;
}

/** The recommended button is last, highlighted and focused, so that Enter presses it. */
function Choices({ isGood, onRetake, onUse }: ChoicesProps) {
  const { photo } = texts.value;
  const recommended = useRef<HTMLButtonElement>(null);
  useEffect(() => recommended.current?.focus(), []);
  if (isGood) {
    return (
      <div class="actions">
        <button type="button" class="secondary outline" onClick={onRetake}>
          {photo.retake}
        </button>
        <button type="button" ref={recommended} onClick={onUse}>
          {photo.useIt}
        </button>
      </div>
    );
  }
  return (
    <div class="actions">
      {onUse !== undefined && (
        <button type="button" class="secondary outline" onClick={onUse}>
          {photo.useAnyway}
        </button>
      )}
      <button type="button" ref={recommended} onClick={onRetake}>
        {photo.retake}
      </button>
    </div>
  );
}

export function StageText({ stage }: { stage: PhotoStage }) {
  const { photo } = texts.value;
  switch (stage.stage) {
    case 'preparing':
      return <p aria-busy="true">{photo.storing}</p>;
    case 'storing':
      return (
        <>
          <p aria-busy="true">{photo.storing}</p>
          {stage.sent < 1 && <progress value={stage.sent} aria-label={photo.storing} />}
        </>
      );
    case 'judging':
      return <p aria-busy="true">{photo.checking}</p>;
    case 'unreadable':
      return <Verdict isGood={false}>{photo.notReadable}</Verdict>;
    case 'judged':
      return <VerdictText verdict={stage.verdict} />;
    default:
      return null;
  }
}

/** Without a tick: good quality says nothing about the skin in the photo. */
function Verdict({ isGood, children }: { isGood: boolean; children: string }) {
  return (
    <p class={isGood ? 'notice' : 'notice warning'}>
      {isGood ? <PictureIcon /> : <WarningIcon />}
      <strong>{children}</strong>
    </p>
  );
}

/** The verdict in words, with the gateway's reasons. */
export function VerdictText({ verdict: { isValid, issueDetails = [] } }: { verdict: ImageValidity }) {
  const { photo } = texts.value;
  const isFlawless = isValid && issueDetails.length === 0;
  return (
    <>
      <Verdict isGood={isValid}>{isFlawless ? photo.good : isValid ? photo.usable : photo.unusable}</Verdict>
      {issueDetails.length > 0 && (
        <>
          {isValid && <p>{photo.remarks}</p>}
          <ul>
            {issueDetails.map(({ code, text }) => (
              <li key={code} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="small">{photo.onlyQuality}</p>
    </>
  );
}
