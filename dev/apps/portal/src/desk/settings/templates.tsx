import type { Template } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { deleteTemplate, listOwnTemplates } from '../../gateway/desk-calls.ts';
import { texts } from '../../i18n/language.ts';
import { fill, languageNames } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { readAgain, useRead } from '../../query/use-read.ts';
import { unsentOf } from '../../session/unsent.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { Modal } from '../parts/modal.tsx';
import { TemplateForm } from './template-form.tsx';

/** The physician's own templates. */
export function Templates() {
  const { mySettings: words, answer } = deskTexts.value;
  const { value, failure, again } = useRead(['my-templates'], listOwnTemplates);
  // With its entries, which outlive this page.
  const open = unsentOf<Template | 'new' | undefined>('template', undefined);
  const edited = open.value;
  const setEdited = (next: Template | 'new' | undefined) => void (open.value = next);
  const [deleted, setDeleted] = useState<Template>();
  const newest = (template: Template) => value?.items.find(({ id }) => id === template.id) ?? template;
  const done = () => {
    setEdited(undefined);
    setDeleted(undefined);
    again();
    readAgain(['templates']);
  };
  return (
    <section class="panel" aria-labelledby="templates">
      <h2 id="templates">{words.templates}</h2>
      {failure !== undefined && <DeskFailure failure={failure} onRetry={again} />}
      {value?.items.length === 0 && <p class="small">{words.noTemplates}</p>}
      <ul class="template-list">
        {(value?.items ?? []).map((template) => (
          <li key={template.id}>
            <strong dir="auto">{template.name}</strong>
            <span class="small">
              {Object.keys(template.bodies)
                .map((code) => languageNames[code as keyof typeof languageNames])
                .join(', ')}
              {template.is_default && ` · ${words.isDefault}`}
            </span>
            <button
              type="button"
              class="secondary outline small-button"
              aria-label={`${words.edit}: ${template.name}`}
              onClick={() => setEdited(template)}
            >
              {words.edit}
            </button>
            <button
              type="button"
              class="secondary outline small-button"
              aria-label={`${words.delete}: ${template.name}`}
              onClick={() => setDeleted(template)}
            >
              {words.delete}
            </button>
          </li>
        ))}
      </ul>
      {edited === undefined ? (
        <button type="button" class="small-button" onClick={() => setEdited('new')}>
          {words.newTemplate}
        </button>
      ) : (
        <TemplateForm
          key={edited === 'new' ? 'new' : edited.id}
          template={edited === 'new' ? undefined : newest(edited)}
          onDone={done}
          onConflict={again}
          onCancel={() => setEdited(undefined)}
        />
      )}
      {deleted !== undefined && (
        <DeleteDialog
          template={deleted}
          onDone={done}
          onClose={() => setDeleted(undefined)}
          title={answer.template}
        />
      )}
    </section>
  );
}

interface DeleteDialogProps {
  title: string;
  template: Template;
  onDone: () => void;
  onClose: () => void;
}

function DeleteDialog({ title, template, onDone, onClose }: DeleteDialogProps) {
  const { mySettings: words } = deskTexts.value;
  const work = useOnce();
  return (
    <Modal title={title} onClose={onClose}>
      <p>{fill(words.deleteSure, { name: template.name })}</p>
      {work.failure !== undefined && <DeskFailure failure={work.failure} />}
      <div class="actions">
        <button type="button" class="secondary outline" onClick={onClose}>
          {texts.value.common.cancel}
        </button>
        <button
          type="button"
          aria-busy={work.busy}
          onClick={() => void work.run(() => deleteTemplate(template.id), onDone)}
        >
          {words.delete}
        </button>
      </div>
    </Modal>
  );
}
