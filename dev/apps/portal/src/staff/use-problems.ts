import { useMemo, useState } from 'preact/hooks';
import type { Failure } from '../gateway/failure.ts';
import { fieldText } from '../i18n/field-text.ts';
import type { FieldProblem } from './error-summary.tsx';

/** A field of a form by the JSON Pointer of what it sends; a refusal within that is the field's too. */
export type FormFields = Readonly<Record<string, { id: string; label: string }>>;

/**
 * What is wrong with the fields of a form: found here before anything was sent, or by the gateway.
 * The list stays the same until another attempt, so that its summary takes the focus once for each.
 */
export function useProblems(failure: Failure | undefined, fields: FormFields) {
  const [found, setFound] = useState<readonly FieldProblem[]>([]);
  const refused = useMemo(() => problemsOf(failure, fields), [failure]);
  const problems = found.length > 0 ? found : refused;
  return {
    problems,
    /** The text beside a field. */
    at: (id: string) => problems.find(({ field }) => field === id)?.text,
    /** @returns whether nothing is wrong, so that the form may be sent. */
    check(list: readonly FieldProblem[]): boolean {
      setFound(list);
      return list.length === 0;
    },
  };
}

function problemsOf(failure: Failure | undefined, fields: FormFields): FieldProblem[] {
  const all = Object.entries(failure?.fields ?? {}).flatMap(([pointer, code]) => {
    const known = Object.keys(fields).find((field) => pointer === field || pointer.startsWith(`${field}/`));
    const field = known === undefined ? undefined : fields[known];
    if (field === undefined) return [];
    return [{ field: field.id, text: `${field.label}: ${fieldText(code, pointer === '/email')}` }];
  });
  // Several parts of one field can be refused for the same reason.
  return [...new Map(all.map((problem) => [`${problem.field} ${problem.text}`, problem])).values()];
}
