import type { DermatologistAnnotation } from 'dermagate-client';
import { fill } from '../../i18n/texts.ts';
import { shortMoment } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';
import { type Amendment, amendmentOf } from './amendments.ts';
import { draftOf } from './draft.ts';
import { DraftDifferences } from './draft-conflict.tsx';

/** `id` of the notice. */
export const AMEND_CONFLICT = 'amend-conflict';

interface AmendConflictProps {
  amendment: Amendment;
  /** Undefined where the answer was withdrawn. */
  current: DermatologistAnnotation | undefined;
  mayAmend: boolean;
  change: (patch: Partial<Amendment>) => void;
}

/** The answer was changed since its amendment began: the newer one, and which of the two texts goes on. */
export function AmendConflict({ amendment, current, mayAmend, change }: AmendConflictProps) {
  const { answer: words, problems } = deskTexts.value;
  const attributes = {
    id: AMEND_CONFLICT,
    class: 'notice failure conflict',
    role: 'alert',
    tabIndex: -1,
  } as const;
  if (current === undefined) {
    return (
      <div {...attributes}>
        <p>{problems.annotation_not_found}</p>
      </div>
    );
  }
  return (
    <div {...attributes}>
      <div>
        <h3>{words.amendConflictTitle}</h3>
        <p>{fill(words.amendConflictLead, { date: shortMoment(current.signed_at ?? current.updated_at) })}</p>
        <DraftDifferences mine={amendment.draft} theirs={draftOf(current)} />
        <details>
          <summary>{words.newerAnswer}</summary>
          <p class="message" dir="auto" lang={current.language}>
            {current.rendered_text}
          </p>
        </details>
        {mayAmend && (
          <div class="actions">
            <button
              type="button"
              class="outline"
              onClick={() => change({ ...amendmentOf(current), reason: amendment.reason })}
            >
              {words.takeTheirs}
            </button>
            <button type="button" class="outline" onClick={() => change({ answer: current })}>
              {words.keepMine}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}
