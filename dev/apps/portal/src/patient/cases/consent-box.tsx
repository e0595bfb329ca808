import type { ConsentText } from '../../gateway/case-calls.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';

interface ConsentBoxProps {
  consent: ConsentText;
  accepted: boolean;
  onChange: (accepted: boolean) => void;
  /** Why sending was refused. */
  error: string | undefined;
}

/** The text that the patient agrees to, and the agreement. Long texts scroll, also by the keyboard. */
export function ConsentBox({ consent, accepted, onChange, error }: ConsentBoxProps) {
  const { cases } = texts.value;
  return (
    <section class="consent">
      <h2 id="consent">{cases.consentTitle}</h2>
      <div class="legal" role="region" aria-labelledby="consent" tabIndex={0} dir="auto">
        {consent.text}
      </div>
      <p class="small">{fill(cases.consentVersion, { version: consent.version })}</p>
      <label class="inline">
        <input
          type="checkbox"
          name="consent"
          checked={accepted}
          aria-invalid={error === undefined ? undefined : 'true'}
          aria-describedby={error === undefined ? undefined : 'consent-error'}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        {cases.consentAccept}
      </label>
      {error !== undefined && (
        <p id="consent-error" class="field-error">
          {error}
        </p>
      )}
    </section>
  );
}
