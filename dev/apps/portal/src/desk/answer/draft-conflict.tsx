import type { DermatologistAnnotation } from 'dermagate-client';
import { fill } from '../../i18n/texts.ts';
import { clockTime } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';
import { differences, type Draft, draftOf } from './draft.ts';
import type { DraftKeeper } from './draft-keeper.ts';

/** Two versions of the same draft, side by side, one of which goes. */
export function DraftConflict({ keeper, theirs }: { keeper: DraftKeeper; theirs: DermatologistAnnotation }) {
  const { answer: words } = deskTexts.value;
  return (
    <div class="notice failure conflict" role="alert">
      <div>
        <h3>{words.conflictTitle}</h3>
        <p>{fill(words.conflictLead, { time: clockTime(theirs.updated_at) })}</p>
        <DraftDifferences mine={keeper.draft.value} theirs={draftOf(theirs)} />
        <div class="actions">
          <button type="button" class="outline" onClick={() => keeper.takeTheirs()}>
            {words.takeTheirs}
          </button>
          <button type="button" class="outline" onClick={() => void keeper.keepMine()}>
            {words.keepMine}
          </button>
        </div>
      </div>
    </div>
  );
}

/** The parts in which two drafts differ, each with both texts. */
export function DraftDifferences({ mine, theirs }: { mine: Draft; theirs: Draft }) {
  const { answer: words } = deskTexts.value;
  return (
    <dl>
      {differences(mine, theirs).map((part) => (
        <div key={part}>
          <dt>{words.parts[part]}</dt>
          <dd dir="auto">
            <span class="small">{words.mine}</span> {textOf(mine, part)}
          </dd>
          <dd dir="auto">
            <span class="small">{words.theirs}</span> {textOf(theirs, part)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function textOf(draft: Draft, part: keyof Draft): string {
  const { answer: words, yes, no } = deskTexts.value;
  switch (part) {
    case 'diagnoses':
      return listed(draft.diagnoses.map(({ text }) => text));
    case 'treatments':
      return listed(draft.treatments.map(({ name }) => name));
    case 'follow_up':
      return listed([String(draft.follow_up.in_days ?? ''), draft.follow_up.how]);
    case 'referral':
      return listed(Object.values(draft.referral));
    case 'acknowledged_flags':
      return listed(draft.acknowledged_flags.map((code) => code.replaceAll('_', ' ')));
    case 'image_quality_ok':
      return draft.image_quality_ok === null ? '–' : draft.image_quality_ok ? yes : no;
    case 'recommended_action':
      return draft.recommended_action === null ? '–' : words.actions[draft.recommended_action];
    case 'severity':
      return draft.severity === null ? '–' : words.severities[draft.severity];
    case 'ai_agreement':
      return draft.ai_agreement === null ? '–' : words.agreement[draft.ai_agreement];
    default:
      return listed([String(draft[part] ?? '')]);
  }
}

const listed = (parts: readonly string[]) => parts.filter((part) => part !== '').join(', ') || '–';
