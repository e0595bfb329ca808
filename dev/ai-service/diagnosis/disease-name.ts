import type { Language } from '../../../src/domain/anamnesis/enums/patient.ts';
import translations from '../messages/disease-names.json' with { type: 'json' };
import type { Disease } from './catalogue.ts';

const names: Partial<Record<string, Partial<Record<Language, string>>>> = translations;

/** he, ar and es are machine-drafted until a native clinician has reviewed them; without one the English name stands. */
export function diseaseName({ slug, name }: Disease, language: Language): string {
  return names[slug]?.[language] ?? name;
}
