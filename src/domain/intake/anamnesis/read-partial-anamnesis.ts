import { Problem } from '../../../contract/problem.ts';
import type { PartialAnamnesis } from './anamnesis.ts';
import type { Language } from '../../../contract/language.ts';
import { parseAnamnesis } from './parse-anamnesis.ts';

/**
 * Answers that may be incomplete, as the AI routes take them.
 * @throws {Problem} `anamnesis_invalid` naming every wrong field.
 */
export function readPartialAnamnesis(
  input: unknown,
  options: { language: Language; imageUrlHosts: readonly string[] },
): PartialAnamnesis {
  const parsed = parseAnamnesis(input, { ...options, partial: true });
  if (!parsed.ok) throw new Problem('anamnesis_invalid', { errors: parsed.errors });
  return parsed.value;
}
