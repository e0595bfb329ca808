import type { CaseDetail } from 'dermagate-client';
import { deskTexts } from '../i18n/texts.ts';

interface RedFlagsProps {
  shown: CaseDetail;
  /** Undefined where the reader does not answer the case. */
  acknowledged: readonly string[] | undefined;
  /** While the answer is being signed. */
  isFixed: boolean;
  onChange: (acknowledged: string[]) => void;
}

/** Every red flag with its reason, each to be marked as seen. */
export function RedFlags({ shown, acknowledged, isFixed, onChange }: RedFlagsProps) {
  const { flags: words, urgency: levels } = deskTexts.value;
  const net = shown.analysis?.safety_net ?? undefined;
  const toggle = (code: string) => {
    const seen = acknowledged ?? [];
    onChange(seen.includes(code) ? seen.filter((each) => each !== code) : [...seen, code]);
  };
  return (
    <section class="panel" aria-labelledby="flags" id="flags-panel" tabIndex={-1}>
      <h2 id="flags">{words.title}</h2>
      {shown.flag_details.length === 0 && <p class="small">{words.none}</p>}
      {net?.disagreement === true && <p class="tag warn">{words.disagreement}</p>}
      <ul class="flags">
        {shown.flag_details.map(({ code, text, urgency, certainty }) => (
          <li key={code} class={`flag ${urgency}`}>
            <div>
              <p>
                <strong>{levels[urgency]}</strong> <span class="code">{code.replaceAll('_', ' ')}</span>
              </p>
              <p dir="auto">{text}</p>
              {(certainty === 'not_excluded' || net?.added_flags.includes(code)) && (
                <p class="small">
                  {[
                    certainty === 'not_excluded' && words.notExcluded,
                    net?.added_flags.includes(code) && words.ownRule,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              )}
            </div>
            {acknowledged !== undefined && (
              <label class="inline">
                <input
                  type="checkbox"
                  name="acknowledged"
                  value={code}
                  checked={acknowledged.includes(code)}
                  disabled={isFixed}
                  onChange={() => toggle(code)}
                />
                {words.seen}
              </label>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
