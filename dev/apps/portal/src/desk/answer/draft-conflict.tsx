import type { DermatologistAnnotation } from 'dermagate-client';
import { fill, languageNames } from '../../i18n/texts.ts';
import { clockTime, shortMoment } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';
import { differences, type Draft, draftOf } from './draft.ts';
import type { DraftKeeper } from './draft-keeper.ts';

/** `id` of the notice. */
export const DRAFT_CONFLICT = 'draft-conflict';

/** Two versions of the same draft, side by side, one of which goes; or a draft and the answer that was signed instead. */
export function DraftConflict({ keeper, theirs }: { keeper: DraftKeeper; theirs: DermatologistAnnotation }) {
  const { answer: words } = deskTexts.value;
  const isDraft = theirs.status === 'draft';
  return (
    <div id={DRAFT_CONFLICT} class="notice failure conflict" role="alert" tabIndex={-1}>
      <div>
        <h3>{isDraft ? words.conflictTitle : words.amendConflictTitle}</h3>
        <p>
          {isDraft
            ? fill(words.conflictLead, { time: clockTime(theirs.updated_at) })
            : fill(words.amendConflictLead, { date: shortMoment(theirs.signed_at ?? theirs.updated_at) })}
        </p>
        <DraftDifferences mine={keeper.draft.value} theirs={draftOf(theirs)} />
        <div class="actions">
          <button type="button" class="outline" onClick={() => keeper.takeTheirs()}>
            {words.takeTheirs}
          </button>
          {isDraft && (
            <button type="button" class="outline" onClick={() => void keeper.keepMine()}>
              {words.keepMine}
            </button>
          )}
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
      return each(
        draft.diagnoses.map(({ text, code, certainty, is_primary: primary }) => [
          text,
          code,
          words.certainty[certainty],
          primary ? words.primary : '',
        ]),
      );
    case 'treatments':
      return each(draft.treatments.map((treatment) => Object.values(treatment)));
    case 'follow_up':
      return listed([String(draft.follow_up.in_days ?? ''), draft.follow_up.how]);
    case 'referral':
      return listed(Object.values(draft.referral));
    case 'contradiction_reasons':
      return listed(draft.contradiction_reasons.map(({ reason }) => reason));
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
    case 'language':
      return languageNames[draft.language];
    default:
      return listed([String(draft[part] ?? '')]);
  }
}

/** Every part of each: two of the same name can differ in the dose alone. */
const each = (all: readonly (readonly string[])[]) =>
  listed(
    all.map((parts) => listed(parts)),
    '; ',
  );

const listed = (parts: readonly string[], between = ', ') =>
  parts.filter((part) => part !== '').join(between) || '–';
