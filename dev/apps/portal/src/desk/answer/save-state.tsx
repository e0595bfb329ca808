import { fill } from '../../i18n/texts.ts';
import { failureText } from '../parts/desk-failure.tsx';
import { clockTime } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';
import type { DraftKeeper, SaveState } from './draft-keeper.ts';

/** Whether the gateway has what is on the screen, and why not. */
export function SaveStatus({ keeper }: { keeper: DraftKeeper }) {
  const { answer: words } = deskTexts.value;
  const state = keeper.state.value;
  const isBad = state.kind === 'failed' || state.kind === 'lost' || state.kind === 'conflict';
  return (
    <div class={isBad ? 'save-state bad' : 'save-state'} role="status">
      <span>{textOf(state)}</span>
      {(state.kind === 'failed' || state.kind === 'lost') && (
        <button type="button" class="secondary outline small-button" onClick={() => void keeper.flush()}>
          {words.retry}
        </button>
      )}
    </div>
  );
}

function textOf(state: SaveState): string {
  const { save } = deskTexts.value.answer;
  switch (state.kind) {
    case 'saved':
      return fill(save.saved, { time: clockTime(state.at) });
    case 'failed':
    case 'lost':
      return fill(save[state.kind], { why: failureText(state.failure) });
    case 'signed':
      return deskTexts.value.answer.signedTitle;
    case 'clean':
    case 'dirty':
    case 'saving':
    case 'conflict':
      return save[state.kind];
  }
}
