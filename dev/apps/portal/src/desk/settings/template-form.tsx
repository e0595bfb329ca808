import type { Template, TemplateBodies } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { createTemplate, listDiseases, updateTemplate } from '../../gateway/desk-calls.ts';
import { fieldText } from '../../i18n/field-text.ts';
import { texts } from '../../i18n/language.ts';
import { fill, type Language, languageNames, languages } from '../../i18n/texts.ts';
import { useStableKey } from '../../query/stable-key.ts';
import { useOnce } from '../../query/use-once.ts';
import { useRead } from '../../query/use-read.ts';
import { unsentOf } from '../../session/unsent.ts';
import { FormProblems } from '../../staff/form-problems.tsx';
import { plainLine } from '../../staff/plain-line.ts';
import { DiseaseField } from '../answer/disease-field.tsx';
import { TextInput } from '../answer/fields.tsx';
import { isUnpicked } from '../answer/unpicked.ts';
import { DeskFailure, failureText } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { StoredPreview } from './stored-preview.tsx';

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

/** What was entered about a template, and the version that the entries began from. */
interface Entries {
  name: string;
  /** `id` of the catalogue; null for any. */
  disease: number | null;
  bodies: TemplateBodies;
  isDefault: boolean;
  version: number | undefined;
}

const entriesOf = (template: Template | undefined): Entries => ({
  name: template?.name ?? '',
  disease: template?.disease_id ?? null,
  bodies: template?.bodies ?? {},
  isDefault: template?.is_default ?? false,
  version: template?.version,
});

const DISEASE = 'template-disease';
const fieldOf = (code: Language) => `template-${code}`;

export function TemplateForm({ template, onDone, onConflict, onCancel }: TemplateFormProps) {
  const { mySettings: words } = deskTexts.value;
  // Four texts take long to write: they are here again after another page, and after the session has ended.
  const unsent = unsentOf<Entries | undefined>(`template ${template?.id ?? 'new'}`, undefined);
  const { name, disease, bodies, isDefault, version } = unsent.value ?? entriesOf(template);
  const change = (patch: Partial<Entries>) =>
    (unsent.value = { ...(unsent.peek() ?? entriesOf(template)), ...patch });
  const [isEmpty, setEmpty] = useState(false);
  const [unpicked, setUnpicked] = useState(false);
  const work = useOnce();
  const keyOf = useStableKey();
  /** @param over the version that it replaces: the one that the entries began from, or, after a conflict, the newest. */
  const save = (over: number | undefined) => {
    const filled = Object.entries(bodies).filter(([, body]) => Boolean(body?.trim()));
    setEmpty(filled.length === 0);
    const isTyped = isUnpicked(DISEASE);
    setUnpicked(isTyped);
    if (isTyped) return document.getElementById(DISEASE)?.focus();
    if (filled.length === 0) return document.getElementById(fieldOf(languages[0]))?.focus();
    const body = {
      name: plainLine(name).trim(),
      disease_id: disease,
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
    void work.run(call, () => {
      unsent.value = undefined;
      onDone();
    });
  };
  const takeTheirs = () => {
    unsent.value = undefined;
    work.show(undefined);
  };
  /** Why the text in this language is refused. */
  const problemOf = (code: Language): string | undefined => {
    const { failure } = work;
    if (isEmpty) return code === languages[0] ? texts.value.fields.required : undefined;
    const refused = failure?.fields[`/bodies/${code}`];
    if (failure === undefined || refused === undefined) return undefined;
    return failure.code === 'validation_error' ? fieldText(refused, false) : failureText(failure);
  };
  const cancel = () => {
    unsent.value = undefined;
    onCancel();
  };
  const isConflict = work.failure?.reason === 'version_conflict';
  return (
    <form
      class="template-form"
      onSubmit={(event) => {
        event.preventDefault();
        save(version);
      }}
    >
      {/* What is typed while it is saved would be gone with the reply. */}
      <div inert={work.busy}>
        <TextInput
          label={words.templateName}
          most={120}
          value={name}
          onInput={(text) => change({ name: text })}
        />
        <DiseaseField
          id={DISEASE}
          label={words.templateDisease}
          onPick={({ disease_id: own, id }) => change({ disease: own ?? id })}
        />
        {unpicked && (
          <p class="field-error" role="alert">
            {words.unpicked}
          </p>
        )}
        <p class="chosen">
          {disease === null ? words.anyDisease : <DiseaseName id={disease} />}{' '}
          {disease !== null && (
            <button
              type="button"
              class="bare"
              aria-label={words.anyDisease}
              onClick={() => change({ disease: null })}
            >
              ×
            </button>
          )}
        </p>
        {languages.map((code) => (
          <BodyField
            key={code}
            code={code}
            body={bodies[code] ?? ''}
            problem={problemOf(code)}
            onChange={(body) => change({ bodies: { ...bodies, [code]: body } })}
          />
        ))}
        <details>
          <summary>{words.placeholders}</summary>
          <p class="code" dir="ltr">
            {placeholders.map((each) => `{{ ${each} }}`).join('  ')}
          </p>
        </details>
        <label class="inline">
          <input type="checkbox" checked={isDefault} onChange={() => change({ isDefault: !isDefault })} />
          {words.isDefault}
        </label>
      </div>
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
        <button type="button" class="secondary outline" onClick={cancel}>
          {texts.value.common.cancel}
        </button>
        <button type="submit" aria-busy={work.busy} disabled={name.trim() === ''}>
          {words.save}
        </button>
      </div>
    </form>
  );
}

/** What a template has of its disease is the id alone. */
function DiseaseName({ id }: { id: number }) {
  const { value } = useRead(['all-diseases'], listDiseases);
  const found = value?.items.find((each) => (each.disease_id ?? each.id) === id);
  return <bdi>{found?.name ?? `#${id}`}</bdi>;
}

interface BodyFieldProps {
  code: Language;
  body: string;
  problem: string | undefined;
  onChange: (body: string) => void;
}

/** The text in one language. */
function BodyField({ code, body, problem, onChange }: BodyFieldProps) {
  const { mySettings: words } = deskTexts.value;
  const id = fieldOf(code);
  const error = problem !== undefined && `${id}-error`;
  return (
    <>
      <label for={id}>{fill(words.body, { language: languageNames[code] })}</label>
      {error && (
        <p id={error} class="field-error">
          {problem}
        </p>
      )}
      <textarea
        id={id}
        rows={4}
        maxLength={20_000}
        dir="auto"
        lang={code}
        placeholder={example}
        aria-describedby={error || undefined}
        aria-invalid={error ? 'true' : undefined}
        value={body}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </>
  );
}
