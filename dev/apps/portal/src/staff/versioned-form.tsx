import type { ComponentChildren } from 'preact';
import type { FieldProblem } from './error-summary.tsx';
import { FormProblems } from './form-problems.tsx';
import { SaveRow } from './save-row.tsx';
import type { useVersioned } from './use-versioned.ts';

interface VersionedFormProps {
  form: Pick<
    ReturnType<typeof useVersioned>,
    'busy' | 'failure' | 'isSaved' | 'save' | 'takeTheirs' | 'keepMine'
  >;
  problems: readonly FieldProblem[];
  /** @returns whether the entries may be sent. */
  check: () => boolean;
  children: ComponentChildren;
}

/** The fields of `useVersioned` between what was wrong with them and the button that saves them. */
export function VersionedForm({ form, problems, check, children }: VersionedFormProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    if (check()) void form.save();
  };
  return (
    <form noValidate onSubmit={submit}>
      <FormProblems
        failure={form.failure}
        problems={problems}
        onTakeTheirs={() => void form.takeTheirs()}
        onKeepMine={() => void form.keepMine()}
      />
      {children}
      <SaveRow busy={form.busy} isSaved={form.isSaved} />
    </form>
  );
}
