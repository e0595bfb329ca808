import { useEffect, useId, useRef } from 'preact/hooks';
import { staffTexts } from './i18n/texts.ts';

export interface FieldProblem {
  /** `id` of the field. */
  field: string;
  text: string;
}

/**
 * What is wrong with a form, above it, each entry a link to its field (GOV.UK error summary). It takes the focus when
 * the problems change.
 */
export function ErrorSummary({ problems }: { problems: readonly FieldProblem[] }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problems.length > 0) box.current?.focus();
  }, [problems]);
  if (problems.length === 0) return null;
  const focus = (event: Event, field: string) => {
    event.preventDefault();
    document.getElementById(field)?.focus();
  };
  return (
    <div ref={box} class="error-summary" role="alert" aria-labelledby={id} tabIndex={-1}>
      <h2 id={id}>{staffTexts.value.errorSummary}</h2>
      <ul>
        {problems.map(({ field, text }) => (
          <li key={field + text}>
            <a href={`#${field}`} onClick={(event) => focus(event, field)}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
