import type { Ref } from 'preact';
import { deskTexts } from '../i18n/texts.ts';
import type { Missing } from './draft.ts';

/** Where each missing part is. */
const places: Readonly<Record<Missing, string>> = {
  flags: 'flags-panel',
  diagnoses: 'answer-diagnosis',
  primary: 'answer-diagnosis',
  excluded: 'answer-diagnosis',
  recommended_action: 'answer-action',
  image_quality_ok: 'answer-photos',
  treatments: 'answer-treatments',
  follow_up: 'answer-follow-up',
  referral: 'answer-referral',
};

/** Focuses a part of the form, also where it is folded. */
export function focusPart(id: string): void {
  const field = document.getElementById(id);
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  field?.focus();
}

interface MissingListProps {
  missing: readonly Missing[];
  summary: Ref<HTMLDivElement>;
}

/** What a signature still needs, each a way to its field. */
export function MissingList({ missing, summary }: MissingListProps) {
  const { answer: words } = deskTexts.value;
  return (
    <div ref={summary} class="notice failure" tabIndex={-1} role="alert" aria-labelledby="missing">
      <div>
        <h3 id="missing">{words.problemTitle}</h3>
        <ul>
          {missing.map((each) => (
            <li key={each}>
              <a
                href={`#${places[each]}`}
                onClick={(event) => {
                  event.preventDefault();
                  focusPart(places[each]);
                }}
              >
                {words.problems[each]}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
