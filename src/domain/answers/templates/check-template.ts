import type { Language } from '../../../contract/language.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import { TemplateError } from '../../../lib/text-template/template-error.ts';
import { readTemplate } from './answer-template.ts';
import { fullData } from './full-data.ts';
import type { TemplateBodies } from './template.schemas.ts';

/**
 * Reads every body of a template, and renders each with as much as an answer can have.
 * @returns the placeholders that they name.
 * @throws {Problem} `template_invalid` and `template_placeholder_unknown`, with language, line and column.
 */
export async function checkTemplate(bodies: TemplateBodies): Promise<string[]> {
  const names = new Set<string>();
  const errors: Record<'template_invalid' | 'template_placeholder_unknown', FieldError[]> = {
    template_invalid: [],
    template_placeholder_unknown: [],
  };
  for (const [language, body] of Object.entries(bodies) as [Language, string | undefined][]) {
    if (body === undefined) continue;
    // Each may take its 200 ms: other requests come in between.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      const template = readTemplate(body, language);
      template.render(fullData);
      for (const name of template.names) names.add(name);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      const code = error.kind === 'invalid' ? 'template_invalid' : 'template_placeholder_unknown';
      const pointer = `/bodies/${language}`;
      for (const { line, column, message } of error.faults) {
        errors[code].push({ pointer, code, message: `Line ${line}, column ${column}: ${message}` });
      }
    }
  }
  for (const code of ['template_invalid', 'template_placeholder_unknown'] as const) {
    if (errors[code].length > 0) throw new Problem(code, { errors: errors[code] });
  }
  return [...names].toSorted();
}
