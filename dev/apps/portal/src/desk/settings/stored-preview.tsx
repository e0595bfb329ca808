import type { Template } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { formatDiagnoses } from '../../gateway/desk-calls.ts';
import type { Language } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';

/** The template as it was saved, with an invented diagnosis. */
export function StoredPreview({ template }: { template: Template }) {
  const { mySettings: words } = deskTexts.value;
  const [isOpen, setOpen] = useState(false);
  const lang = Object.keys(template.bodies)[0] as Language;
  const { value, failure } = useRead(
    ['template-preview', template.id, template.version],
    (signal) =>
      formatDiagnoses(
        {
          diagnoses: [
            {
              disease_id: template.disease_id,
              code: 'L20.9',
              code_system: 'icd10',
              text: 'Atopic eczema',
              certainty: 'probable',
              is_primary: true,
            },
          ],
          template_id: template.id,
          lang,
        },
        signal,
      ),
    { enabled: isOpen },
  );
  return (
    <details class="preview" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {words.preview} <span class="small">{words.previewLead}</span>
      </summary>
      {failure !== undefined && <DeskFailure failure={failure} />}
      <p class="message" dir={value?.direction} lang={lang}>
        {value?.text}
      </p>
    </details>
  );
}
