import type { Template } from 'dermagate-client';
import { listTemplates } from '../../gateway/desk-calls.ts';
import { useRead } from '../../query/use-read.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import type { Draft } from './draft.ts';

interface TemplateFieldProps {
  draft: Draft;
  change: (patch: Partial<Draft>) => void;
}

/** Those for the main diagnosis first, then those for any disease. */
export function templatesFor(
  templates: readonly Template[],
  diseaseId: number | null | undefined,
): Template[] {
  const rank = ({ disease_id: of, is_default: first, scope }: Template) =>
    (of === null ? 4 : 0) + (first ? 0 : 2) + (scope === 'physician' ? 0 : 1);
  return templates
    .filter(({ disease_id: of }) => of === null || of === diseaseId)
    .toSorted((a, b) => rank(a) - rank(b));
}

/** The template by which the answer is put into words. */
export function TemplateField({ draft, change }: TemplateFieldProps) {
  const { answer: words, mySettings } = deskTexts.value;
  const { value, failure, again } = useRead(['templates', draft.language], (signal) =>
    listTemplates(draft.language, signal),
  );
  const primary = draft.diagnoses.find(({ is_primary: isPrimary }) => isPrimary);
  const offered = templatesFor(value?.items ?? [], primary?.disease_id);
  const isOffered = offered.some(({ id }) => id === draft.template_id);
  return (
    <div>
      <label>
        {words.template}
        <select
          id="answer-template"
          value={draft.template_id === null ? '' : String(draft.template_id)}
          onChange={({ currentTarget: { value: chosen } }) =>
            change({ template_id: chosen === '' ? null : Number(chosen) })
          }
        >
          <option value="">{words.noTemplate}</option>
          {offered.map(({ id, name, scope }) => (
            <option key={id} value={String(id)}>
              {scope === 'tenant' ? `${name} (${mySettings.clinic})` : name}
            </option>
          ))}
          {draft.template_id !== null && !isOffered && (
            <option value={String(draft.template_id)}>#{draft.template_id}</option>
          )}
        </select>
      </label>
      {/* An empty list would look as if there were none. */}
      {value === undefined && failure !== undefined && <DeskFailure failure={failure} onRetry={again} />}
    </div>
  );
}
