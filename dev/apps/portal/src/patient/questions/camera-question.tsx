import type { NextQuestion } from 'dermagate-client';
import { useRef, useState } from 'preact/hooks';
import { texts } from '../../i18n/language.ts';
import type { PhotoQuality, Step, Unsent } from '../intake/intake.ts';
import { FileChoice } from '../photo/file-choice.tsx';
import { LiveCamera } from '../photo/live-camera.tsx';
import type { CameraRefusal } from '../photo/open-camera.ts';
import { StoredPhoto } from '../photo/stored-photo.tsx';
import { qualityOf, type TakenPhoto, takePhoto } from '../photo/taken-photo.ts';
import { unsentOf } from '../../session/unsent.ts';
import { CameraIcon, InfoIcon, PictureIcon } from '../../ui/icons.tsx';
import { PhotoVerdict } from './photo-verdict.tsx';
import { QuestionActions, QuestionFrame } from './question-frame.tsx';

interface CameraQuestionProps {
  question: NextQuestion;
  /** What the photo belongs to: the question and the answers before it. */
  about: string;
  draft: Step | undefined;
  /** Receives a reader of the photo until it is sent. */
  unsent: { read: (() => Unsent | undefined) | undefined };
  onAnswer: (path: string, quality: PhotoQuality | undefined) => void;
  onBack: (() => void) | undefined;
  onSkip: () => void;
}

type Stage =
  | { stage: 'choosing'; refused?: CameraRefusal }
  | { stage: 'live' }
  | { stage: 'taken'; photo: TakenPhoto }
  | { stage: 'draft'; path: string; quality: PhotoQuality | undefined };

/**
 * A photo: from the camera where allowed, from a file everywhere. One that could not be stored yet outlives its page and the end
 * of the session: a photo of the camera app may be nowhere else.
 */
export function CameraQuestion({ question, about, draft, unsent, ...on }: CameraQuestionProps) {
  const taken = takenFor(about);
  const [stage, setStage] = useState<Stage>(() => stageOf(taken.peek(), draft));
  unsent.read = () => entryOf(stage);

  function end() {
    taken.peek()?.forget();
    taken.value = undefined;
  }
  const onAnswer: CameraQuestionProps['onAnswer'] = (path, quality) => {
    end();
    on.onAnswer(path, quality);
  };
  const onSkip = () => {
    end();
    on.onSkip();
  };

  const place = useRef<HTMLDivElement>(null);
  const show = (next: Stage) => {
    setStage(next);
    // The pressed button disappears, and the focus with it.
    place.current?.focus({ preventScroll: true });
  };
  const take = (file: Blob) => {
    end();
    const photo = (taken.value = takePhoto(file));
    show({ stage: 'taken', photo });
  };
  const choose = () => {
    end();
    show({ stage: 'choosing' });
  };
  return (
    <QuestionFrame question={question}>
      <div class="photo-stage" ref={place} tabIndex={-1}>
        {stage.stage === 'choosing' && (
          <PhotoSources refused={stage.refused} onLive={() => show({ stage: 'live' })} onPhoto={take} />
        )}
        {stage.stage === 'live' && (
          <LiveCamera
            onPhoto={take}
            onCancel={choose}
            onRefused={(refused) => show({ stage: 'choosing', refused })}
          />
        )}
        {stage.stage === 'taken' && (
          <PhotoVerdict photo={stage.photo} onUse={onAnswer} onRetake={choose} besides={question} />
        )}
        {stage.stage === 'draft' && (
          <KeptPhoto path={stage.path} onUse={() => onAnswer(stage.path, stage.quality)} onRetake={choose} />
        )}
      </div>
      {stage.stage !== 'live' && <QuestionActions question={question} onBack={on.onBack} onSkip={onSkip} />}
    </QuestionFrame>
  );
}

const takenFor = (about: string) =>
  unsentOf<TakenPhoto | undefined>(`photo ${about}`, undefined, (photo) => photo?.forget());

/** A photo that the gateway has stored. */
function entryOf(stage: Stage): Unsent | undefined {
  if (stage.stage === 'draft')
    return { answer: stage.path, ...(stage.quality && { quality: stage.quality }) };
  const photo = stage.stage === 'taken' ? stage.photo.stage.value : undefined;
  if (photo === undefined || !('path' in photo)) return undefined;
  return { answer: photo.path, ...(photo.stage === 'judged' && { quality: qualityOf(photo.verdict) }) };
}

function stageOf(taken: TakenPhoto | undefined, draft: Step | undefined): Stage {
  if (taken !== undefined) return { stage: 'taken', photo: taken };
  if (typeof draft?.answer !== 'string') return { stage: 'choosing' };
  return { stage: 'draft', path: draft.answer, quality: draft.quality };
}

interface PhotoSourcesProps {
  refused: CameraRefusal | undefined;
  onLive: () => void;
  onPhoto: (photo: Blob) => void;
}

function PhotoSources({ refused, onLive, onPhoto }: PhotoSourcesProps) {
  const { photo } = texts.value;
  const canShowLive = navigator.mediaDevices !== undefined && refused === undefined;
  return (
    <div class="photo-sources">
      {refused !== undefined && (
        <p class="notice" role="alert">
          <InfoIcon />
          <span>{photo[refused]}</span>
        </p>
      )}
      {canShowLive && (
        <button type="button" class="large" onClick={onLive}>
          <CameraIcon /> {photo.take}
        </button>
      )}
      {!canShowLive && (
        <FileChoice camera onPhoto={onPhoto}>
          <CameraIcon /> {photo.cameraApp}
        </FileChoice>
      )}
      <FileChoice onPhoto={onPhoto}>
        <PictureIcon /> {photo.choose}
      </FileChoice>
    </div>
  );
}

/** The photo that was taken before "back". */
function KeptPhoto({ path, onUse, onRetake }: { path: string; onUse: () => void; onRetake: () => void }) {
  const { photo } = texts.value;
  return (
    <div class="verdict">
      <StoredPhoto path={path} alt={photo.preview} />
      <div class="actions">
        <button type="button" class="secondary outline" onClick={onRetake}>
          {photo.retake}
        </button>
        <button type="button" onClick={onUse}>
          {photo.useIt}
        </button>
      </div>
    </div>
  );
}
