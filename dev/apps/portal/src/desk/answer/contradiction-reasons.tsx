import type { DermatologistAnnotation } from 'dermagate-client';
import { deskTexts } from '../i18n/texts.ts';

/** Why an answer was signed although it contradicts the danger of its case; for its author and for auditors. */
export function ContradictionReasons({
  reasons,
}: {
  reasons: DermatologistAnnotation['contradiction_reasons'];
}) {
  const { contradictions: words } = deskTexts.value.answer;
  if (reasons.length === 0) return null;
  return (
    <div class="notice warning">
      <ul>
        {reasons.map(({ code, reason }) => (
          <li key={code}>
            {words.codes[code]}
            <br />
            {words.stated}: <span dir="auto">{reason}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
