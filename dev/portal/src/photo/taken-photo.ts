// The way of one photo: taken → stored by the gateway → judged.
import { signal } from '@preact/signals';
import type { ImageValidity } from 'dermagate-client';
import type { Failure } from '../gateway/failure.ts';
import { judgePhoto, storePhoto } from '../gateway/gateway.ts';
import { preparePhoto } from './prepare-photo.ts';

export type PhotoStage =
  | { stage: 'preparing' | 'storing' }
  | { stage: 'unreadable' }
  | { stage: 'not-stored'; failure: Failure }
  | { stage: 'judging'; path: string }
  | { stage: 'not-judged'; path: string; failure: Failure }
  | { stage: 'judged'; path: string; verdict: ImageValidity };

export type TakenPhoto = ReturnType<typeof takePhoto>;

/** Begins at once; `again` repeats the step that failed. */
export function takePhoto(file: Blob) {
  const stage = signal<PhotoStage>({ stage: 'preparing' });
  const preview = URL.createObjectURL(file);
  // One for all attempts to store this photo: when only the answer was lost, it is not stored twice.
  const key = crypto.randomUUID();
  let prepared: Blob | undefined;

  async function store(): Promise<void> {
    prepared ??= await preparePhoto(file);
    if (prepared === undefined) {
      stage.value = { stage: 'unreadable' };
      return;
    }
    stage.value = { stage: 'storing' };
    const stored = await storePhoto(prepared, key);
    if (!stored.ok) stage.value = { stage: 'not-stored', failure: stored.failure };
    else await judge(stored.value.images[0]?.url ?? '');
  }

  async function judge(path: string): Promise<void> {
    stage.value = { stage: 'judging', path };
    const judged = await judgePhoto(path);
    stage.value = judged.ok
      ? { stage: 'judged', path, verdict: judged.value }
      : { stage: 'not-judged', path, failure: judged.failure };
  }

  void store();
  return {
    stage,
    preview,
    again: () => void (stage.value.stage === 'not-judged' ? judge(stage.value.path) : store()),
    forget: () => URL.revokeObjectURL(preview),
  };
}
