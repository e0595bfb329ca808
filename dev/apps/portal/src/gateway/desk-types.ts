import type { AnswerCreation, Language } from 'dermagate-client';

/** An answer as it is sent; whether it is signed too, the call says. */
export type AnswerBody = Omit<AnswerCreation, 'kind' | 'sign'>;

/** What the values of an anamnesis are called; the same until the gateway is updated. */
export interface AnamnesisLabels {
  /** The enumeration of each field by its path, such as `complaint.duration`. */
  fields: Readonly<Record<string, string>>;
  /** By language, enumeration and value. */
  labels: Readonly<Record<Language, Readonly<Record<string, Readonly<Record<string, string>>>>>>;
}
