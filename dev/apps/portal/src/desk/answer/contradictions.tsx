import type { Contradiction } from 'dermagate-client';
import { flushSync } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../../gateway/failure.ts';
import { deskTexts } from '../i18n/texts.ts';
import { type Draft, MOST_REASON, withReason } from './draft.ts';
import { TextArea } from './fields.tsx';

const CONFIRM = 'confirm-emergency';
const fieldOf = (code: Contradiction['code']) => `reason-${code}`;

/** What the gateway judges; a refusal is about nothing else. */
const judged = ({ recommended_action: action, diagnoses, image_quality_ok: photosOk }: Draft) =>
  JSON.stringify([action, photosOk, diagnoses.map(({ code, text, certainty }) => [code, text, certainty])]);

interface Refusal {
  about: string;
  found: readonly Contradiction[];
  isConfirmed: boolean;
}

/**
 * What the gateway has refused because it contradicts the danger of the case, each with a field for its reason. It goes when what
 * was judged changes, and the confirmation with it: it is never ticked for another answer.
 */
export function useContradictions(draft: Draft, change: (patch: Partial<Draft>) => void) {
  const { contradictions: words } = deskTexts.value.answer;
  const [refusal, setRefusal] = useState<Refusal>();
  const box = useRef<HTMLDivElement>(null);
  const about = judged(draft);
  useEffect(() => setRefusal((before) => (before?.about === about ? before : undefined)), [about]);
  const current = refusal?.about === about ? refusal : undefined;
  const found = current?.found ?? [];
  const needsConfirmation = found.some(({ is_emergency: isEmergency }) => isEmergency);
  const isConfirmed = current?.isConfirmed === true;
  const reasonOf = (code: Contradiction['code']) =>
    draft.contradiction_reasons.find((each) => each.code === code)?.reason ?? '';

  /** Whether it was such a refusal. */
  const note = (failure: Failure | undefined): boolean => {
    if (failure?.contradictions === undefined) return false;
    const { contradictions } = failure;
    flushSync(() => setRefusal({ about, found: contradictions, isConfirmed: false }));
    box.current?.focus();
    return true;
  };
  /** Whether nothing is left to state; else what is left has the focus. */
  const check = (): boolean => {
    const unexplained = found.find(({ code }) => reasonOf(code).trim() === '');
    const left = unexplained === undefined ? CONFIRM : fieldOf(unexplained.code);
    if (unexplained === undefined && (isConfirmed || !needsConfirmation)) return true;
    document.getElementById(left)?.focus();
    return false;
  };
  const list = current !== undefined && (
    <div
      ref={box}
      class="notice failure contradictions"
      tabIndex={-1}
      role="alert"
      aria-labelledby="contradictions"
    >
      <div>
        <h3 id="contradictions">{words.title}</h3>
        <p>{words.lead}</p>
        {found.map(({ code }) => (
          <div key={code}>
            <p>
              <strong>{words.codes[code]}</strong>
            </p>
            <TextArea
              id={fieldOf(code)}
              label={words.reason}
              most={MOST_REASON}
              value={reasonOf(code)}
              onInput={(reason) => change({ contradiction_reasons: withReason(draft, code, reason) })}
            />
          </div>
        ))}
        {found.some(({ code }) => code !== 'confirmed_on_poor_photos') && (
          <TextArea
            id="urgency-explanation"
            label={words.forPatient}
            most={500}
            lang={draft.language}
            value={draft.urgency_explanation}
            onInput={(text) => change({ urgency_explanation: text })}
          />
        )}
        {needsConfirmation && (
          <label class="inline">
            <input
              id={CONFIRM}
              type="checkbox"
              checked={isConfirmed}
              onChange={({ currentTarget }) => setRefusal({ ...current, isConfirmed: currentTarget.checked })}
            />
            {words.confirm}
          </label>
        )}
      </div>
    </div>
  );
  return { list, check, note, isConfirmed };
}
