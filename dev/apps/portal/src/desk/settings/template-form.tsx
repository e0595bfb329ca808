import type { Template, TemplateBodies } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { createTemplate, formatDiagnoses, updateTemplate } from '../../gateway/desk-calls.ts';
import { texts } from '../../i18n/language.ts';
import { fill, type Language, languageNames, languages } from '../../i18n/texts.ts';
import { useStableKey } from '../../query/stable-key.ts';
import { useOnce } from '../../query/use-once.ts';
import { useRead } from '../../query/use-read.ts';
import { FormProblems } from '../../staff/form-problems.tsx';
import { DiseaseField } from '../answer/disease-field.tsx';
import { TextInput } from '../answer/fields.tsx';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';

interface TemplateFormProps {
  /** As it was read last; undefined for a new one. */
  template: Template | undefined;
  onDone: () => void;
  /** Reads it again, because another device has changed it. */
  onConflict: () => void;
  onCancel: () => void;
}

const example = '{{ diagnosis.name }}\n\n{{ recommendation_text }}\n\n{{ physician.signature }}';
const placeholders = [
  'patient.display_name',
  'patient.age_years',
  'case.location',
  'diagnosis.name',
  'severity',
  'action.text',
  'recommendation_text',
  'patient_message',
  'follow_up.on',
  'referral.type',
  'physician.display_name',
  'physician.signature',
  'tenant.name',
  'today',
];

const diseaseOf = (template: Template | undefined): { id: number | null; name: string } => ({
  id: template?.disease_id ?? null,
  name: template?.disease_id == null ? deskTexts.value.mySettings.anyDisease : `#${template.disease_id}`,
});

export function TemplateForm({ template, onDone, onConflict, onCancel }: TemplateFormProps) {
  const { mySettings: words } = deskTexts.value;
  const [name, setName] = useState(template?.name ?? '');
  const [disease, setDisease] = useState(() => diseaseOf(template));
  const [bodies, setBodies] = useState<TemplateBodies>(template?.bodies ?? {});
  const [begunFrom, setBegunFrom] = useState(template?.version);
  const [isDefault, setDefault] = useState(template?.is_default ?? false);
  const work = useOnce();
  const keyOf = useStableKey();
  /** @param over the version that it replaces: the one that the entries began from, or, after a conflict, the newest. */
  const save = (over: number | undefined) => {
    const filled = Object.entries(bodies).filter(([, body]) => Boolean(body?.trim()));
    const body = {
      name: name.trim(),
      disease_id: disease.id,
      bodies: Object.fromEntries(filled) as TemplateBodies,
      is_default: isDefault,
    };
    const own = { ...body, kind: 'diagnosis_text', scope: 'physician' } as const;
    const call = async () => {
      if (template === undefined) return await createTemplate(own, keyOf(own));
      const updated = await updateTemplate(template.id, { ...body, version: over ?? template.version });
      if (!updated.ok && updated.failure.reason === 'version_conflict') onConflict();
      return updated;
    };
    void work.run(call, onDone);
  };
  const takeTheirs = () => {
    setName(template?.name ?? '');
    setDisease(diseaseOf(template));
    setBodies(template?.bodies ?? {});
    setDefault(template?.is_default ?? false);
    setBegunFrom(template?.version);
    work.show(undefined);
  };
  const isConflict = work.failure?.reason === 'version_conflict';
  return (
    <form
      class="template-form"
      onSubmit={(event) => {
        event.preventDefault();
        save(begunFrom);
      }}
    >
      <TextInput label={words.templateName} value={name} onInput={setName} />
      <DiseaseField
        label={words.templateDisease}
        onPick={({ disease_id: own, id, name: picked }) => setDisease({ id: own ?? id, name: picked })}
      />
      <p class="chosen">
        {disease.name}{' '}
        {disease.id !== null && (
          <button
            type="button"
            class="bare"
            aria-label={words.anyDisease}
            onClick={() => setDisease({ id: null, name: words.anyDisease })}
          >
            ×
          </button>
        )}
      </p>
      {languages.map((code) => (
        <label key={code}>
          {fill(words.body, { language: languageNames[code] })}
          <textarea
            rows={4}
            dir="auto"
            lang={code}
            placeholder={example}
            value={bodies[code] ?? ''}
            onInput={({ currentTarget }) => setBodies({ ...bodies, [code]: currentTarget.value })}
          />
        </label>
      ))}
      <details>
        <summary>{words.placeholders}</summary>
        <p class="code" dir="ltr">
          {placeholders.map((each) => `{{ ${each} }}`).join('  ')}
        </p>
      </details>
      <label class="inline">
        <input type="checkbox" checked={isDefault} onChange={() => setDefault(!isDefault)} />
        {words.isDefault}
      </label>
      {template !== undefined && <StoredPreview template={template} />}
      {isConflict && (
        <FormProblems
          failure={work.failure}
          problems={[]}
          onTakeTheirs={takeTheirs}
          onKeepMine={() => save(template?.version)}
        />
      )}
      {work.failure !== undefined && !isConflict && <DeskFailure failure={work.failure} />}
      <div class="actions">
        <button type="button" class="secondary outline" onClick={onCancel}>
          {texts.value.common.cancel}
        </button>
        <button type="submit" aria-busy={work.busy} disabled={name.trim() === ''}>
          {words.save}
        </button>
      </div>
    </form>
  );
}

/** As it was saved, with an invented diagnosis. */
function StoredPreview({ template }: { template: Template }) {
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
