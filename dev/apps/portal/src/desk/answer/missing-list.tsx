import { flushSync } from 'preact/compat';
import { useRef, useState } from 'preact/hooks';
import { deskTexts } from '../i18n/texts.ts';
import type { Missing } from './draft.ts';
import { isUnpicked } from './unpicked.ts';

/** Where each missing part is. */
const places: Readonly<Record<Missing | 'unpicked', string>> = {
  flags: 'flags-panel',
  diagnoses: 'answer-diagnosis',
  primary: 'answer-diagnosis',
  excluded: 'answer-diagnosis',
  unpicked: 'answer-diagnosis',
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

/**
 * What a signature still needs, each a way to its field.
 * @returns the list, from the first attempt to sign; a check before signing, after which the list has the focus where
 * anything is missing.
 */
export function useMissing(missing: readonly Missing[]) {
  const [asked, ask] = useState<{ unpicked: boolean }>();
  const summary = useRef<HTMLDivElement>(null);
  const all = asked?.unpicked === true ? [...missing, 'unpicked' as const] : missing;
  const { answer: words } = deskTexts.value;
  const list = asked !== undefined && all.length > 0 && (
    <div ref={summary} class="notice failure" tabIndex={-1} role="alert" aria-labelledby="missing">
      <div>
        <h3 id="missing">{words.problemTitle}</h3>
        <ul>
          {all.map((each) => (
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
  const check = (): boolean => {
    const unpicked = isUnpicked(places.unpicked);
    // A later focus would take it from the field that the next key opens.
    flushSync(() => ask({ unpicked }));
    if (missing.length === 0 && !unpicked) return true;
    summary.current?.focus();
    return false;
  };
  return { list, check };
}
