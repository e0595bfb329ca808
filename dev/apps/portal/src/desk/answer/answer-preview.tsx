import { useState } from 'preact/hooks';
import { formatDiagnoses } from '../../gateway/desk-calls.ts';
import { fill } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import type { Draft } from './draft.ts';

/** The diagnoses in the words of the template, as the patient will read them. */
export function AnswerPreview({ caseUuid, draft }: { caseUuid: string; draft: Draft }) {
  const { answer: words } = deskTexts.value;
  const [isOpen, setOpen] = useState(false);
  const { diagnoses, template_id: template, language: lang } = draft;
  const hasPrimary = diagnoses.some(({ is_primary: primary }) => primary);
  const { value, failure, again } = useRead(
    ['preview', caseUuid, diagnoses, template, lang],
    (signal) =>
      formatDiagnoses(
        {
          case_uuid: caseUuid,
          diagnoses: diagnoses.map((each) => ({ ...each, disease_id: each.disease_id ?? null })),
          ...(template !== null && { template_id: template }),
          lang,
        },
        signal,
      ),
    { enabled: isOpen && hasPrimary, keepsPrevious: true },
  );
  return (
    <details class="preview" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.preview}</summary>
      {!hasPrimary && <p class="small">{words.noPreview}</p>}
      {failure !== undefined && <DeskFailure failure={failure} onRetry={again} />}
      {hasPrimary && value !== undefined && (
        <div dir={value.direction} lang={lang}>
          {value.blocks.map(({ kind, text }, index) => (
            <p key={index} class={kind}>
              {text}
            </p>
          ))}
        </div>
      )}
      {hasPrimary && value !== undefined && value.missing.length > 0 && (
        <p class="small">{fill(words.missing, { names: value.missing.join(', ') })}</p>
      )}
    </details>
  );
}
