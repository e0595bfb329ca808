import type { Language } from '../i18n/texts.ts';

/** What the values of an anamnesis are called. */
export interface AnamnesisLabels {
  /** The enumeration of each field by its path, such as `complaint.duration`. */
  fields: Readonly<Record<string, string>>;
  /** By language, enumeration and value. */
  labels: Readonly<Record<Language, Readonly<Record<string, Readonly<Record<string, string>>>>>>;
}
