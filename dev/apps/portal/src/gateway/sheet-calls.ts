// What the page for a doctor needs, in a language of its own.
import type { PartialAnamnesis } from 'dermagate-client';
import type { Language } from '../i18n/texts.ts';
import { attempt, dermagate } from './gateway.ts';

/** What the values of an anamnesis are called. */
export interface AnamnesisLabels {
  /** The enumeration of each field by its path, such as `complaint.duration`. */
  fields: Readonly<Record<string, string>>;
  /** By language, enumeration and value. */
  labels: Readonly<Record<Language, Readonly<Record<string, Readonly<Record<string, string>>>>>>;
}

export const readAnamnesisLabels = (given: AbortSignal) =>
  attempt(
    async (signal) =>
      (await dermagate.config.resource('anamnesis-labels.json', { signal })) as unknown as AnamnesisLabels,
    given,
  );

export const findRedFlagsIn = (lang: Language, anamnesis: PartialAnamnesis, given: AbortSignal) =>
  attempt((signal) => dermagate.intake.redFlags(anamnesis, { lang, signal }), given);
