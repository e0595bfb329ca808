import type { ComponentProps } from 'preact';
import { VersionedForm } from '../../staff/versioned-form.tsx';
import { officeTexts } from '../i18n/texts.ts';

/** A form about a set of parameters, with what a change does below it. */
export function ParametersForm(props: ComponentProps<typeof VersionedForm>) {
  return (
    <>
      <VersionedForm {...props} />
      <p class="small">{officeTexts.value.parameters.effect}</p>
    </>
  );
}
