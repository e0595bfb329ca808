// The life of one photo: taken → stored by the gateway → checked.
import { signal } from '@preact/signals';
import type { ImageValidity } from 'dermagate-client';
import type { Failure } from '../../gateway/failure.ts';
import { judgePhoto, storePhoto, unlessLeft } from '../../gateway/gateway.ts';
import { language } from '../../i18n/language.ts';
import type { Language } from '../../i18n/texts.ts';
import type { PhotoQuality } from '../intake/intake.ts';
import { preparePhoto } from './prepare-photo.ts';

export type PhotoStage =
  | { stage: 'preparing' }
  /** `sent`: from 0 to 1, how much has left this device. */
  | { stage: 'storing'; sent: number }
  | { stage: 'unreadable' }
  | { stage: 'not-stored'; failure: Failure }
  | { stage: 'judging'; path: string }
  | { stage: 'not-judged'; path: string; failure: Failure }
  | { stage: 'judged'; path: string; verdict: ImageValidity };

/** The part of a verdict that the anamnesis stores. */
export const qualityOf = ({ isValid, score }: ImageValidity): PhotoQuality => ({ isValid, score });

export type TakenPhoto = ReturnType<typeof takePhoto>;

/** Starts immediately; `again` repeats the failed step. */
export function takePhoto(file: Blob) {
  const stage = signal<PhotoStage>({ stage: 'preparing' });
  const preview = URL.createObjectURL(file);
  // One key for all attempts to store this photo: a lost reply must not store it twice.
  const key = crypto.randomUUID();
  let prepared: Blob | undefined;
  let judgedIn: Language | undefined;

  async function store(): Promise<void> {
    prepared ??= await unlessLeft(preparePhoto(file));
    if (prepared === undefined) {
      stage.value = { stage: 'unreadable' };
      return;
    }
    stage.value = { stage: 'storing', sent: 0 };
    const stored = await storePhoto(prepared, key, (sent) => {
      stage.value = { stage: 'storing', sent };
    });
    if (!stored.ok) stage.value = { stage: 'not-stored', failure: stored.failure };
    else await judge(stored.value.images[0]?.url ?? '');
  }

  async function judge(path: string): Promise<void> {
    const asked = (judgedIn = language.value);
    // A verdict stays on the screen until the one in the new language arrives.
    const isKnown = stage.value.stage === 'judged';
    if (!isKnown) stage.value = { stage: 'judging', path };
    const judged = await judgePhoto(path);
    if (asked !== judgedIn) return;
    if (judged.ok) stage.value = { stage: 'judged', path, verdict: judged.value };
    else if (!isKnown) stage.value = { stage: 'not-judged', path, failure: judged.failure };
  }

  /** Requests the reasons in the current language. */
  function translate(): void {
    const now = stage.value;
    if ((now.stage === 'judged' || now.stage === 'judging') && judgedIn !== language.value)
      void judge(now.path);
  }

  const again = () => void (stage.value.stage === 'not-judged' ? judge(stage.value.path) : store());

  /** A photo is shown again after a new sign-in only: the step that failed for want of a session is repeated. */
  function resume(): void {
    const now = stage.value;
    if ('failure' in now && now.failure.signedOut === true) again();
  }

  void store();
  return {
    stage,
    preview,
    translate,
    again,
    resume,
    forget: () => URL.revokeObjectURL(preview),
  };
}
