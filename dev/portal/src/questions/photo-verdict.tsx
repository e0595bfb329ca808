import type { ImageValidity } from 'dermagate-client';
import { percent } from '../i18n/format.ts';
import { texts } from '../i18n/language.ts';
import { fill } from '../i18n/texts.ts';
import type { PhotoQuality } from '../intake/intake.ts';
import type { PhotoStage, TakenPhoto } from '../photo/taken-photo.ts';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { CheckIcon, WarningIcon } from '../ui/icons.tsx';

interface PhotoVerdictProps {
  photo: TakenPhoto;
  onUse: (path: string, quality: PhotoQuality | undefined) => void;
  onRetake: () => void;
}

/** The photo that was just taken, what the gateway's check says about it, and what to do then. */
export function PhotoVerdict({ photo: { stage, preview, again }, onUse, onRetake }: PhotoVerdictProps) {
  const { photo } = texts.value;
  const now = stage.value;
  const retake = (
    <button type="button" class="secondary outline" onClick={onRetake}>
      {photo.retake}
    </button>
  );
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
      <div class="actions">
        {(now.stage === 'unreadable' || 'failure' in now || now.stage === 'judged') && retake}
        {now.stage === 'not-judged' && (
          <button type="button" onClick={() => onUse(now.path, undefined)}>
            {photo.useAnyway}
          </button>
        )}
        {now.stage === 'judged' && (
          <button
            type="button"
            class={now.verdict.isValid ? '' : 'secondary'}
            onClick={() => onUse(now.path, { isValid: now.verdict.isValid, score: now.verdict.score })}
          >
            {now.verdict.isValid ? photo.useIt : photo.useAnyway}
          </button>
        )}
      </div>
    </div>
  );
}

function StageText({ stage }: { stage: PhotoStage }) {
  const { photo } = texts.value;
  switch (stage.stage) {
    case 'preparing':
    case 'storing':
      return <p aria-busy="true">{photo.storing}</p>;
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

function Verdict({ isGood, children }: { isGood: boolean; children: string }) {
  return (
    <p class={isGood ? 'notice success' : 'notice warning'}>
      {isGood ? <CheckIcon /> : <WarningIcon />}
      <strong>{children}</strong>
    </p>
  );
}

/** Verdict and reasons in words; the reasons are the gateway's. */
export function VerdictText({ verdict: { isValid, score, issueDetails = [] } }: { verdict: ImageValidity }) {
  const { photo } = texts.value;
  return (
    <>
      <Verdict isGood={isValid}>{isValid ? photo.good : photo.unusable}</Verdict>
      {issueDetails.length > 0 && (
        <>
          {isValid && <p>{photo.remarks}</p>}
          <ul>
            {issueDetails.map(({ code, text }) => (
              <li key={code}>{text}</li>
            ))}
          </ul>
        </>
      )}
      <p class="small">{fill(photo.score, { percent: percent(score) })}</p>
    </>
  );
}
