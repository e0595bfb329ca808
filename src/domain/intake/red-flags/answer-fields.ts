import type { PartialAnamnesis } from '../anamnesis/anamnesis.ts';

type SectionName = 'patient' | 'complaint' | 'lesion' | 'symptoms' | 'history' | 'exposures';
type Section<Name extends keyof PartialAnamnesis> = NonNullable<PartialAnamnesis[Name]>;

/** A field outside of the lists, by its dotted path: `lesion.colors`. */
export type SectionField = {
  [Name in SectionName]: `${Name}.${keyof Section<Name> & string}`;
}[SectionName];

/** Any field that a rule can read, as `fieldName` of a question has it: `medications[].startedRelative`. */
export type AnswerField =
  | SectionField
  | `locations[].${Extract<keyof Section<'locations'>[number], string>}`
  | 'medications'
  | `medications[].${Extract<keyof Section<'medications'>[number], string>}`;

export type AnswerAt<Field extends SectionField> = Field extends `${infer Name}.${infer Key}`
  ? Name extends SectionName
    ? Key extends keyof Section<Name>
      ? NonNullable<Section<Name>[Key]>
      : never
    : never
  : never;

/** The values that an answer has, or that a multi-select offers. */
export type ValueAt<Field extends SectionField> =
  AnswerAt<Field> extends readonly (infer Value)[] ? Value : AnswerAt<Field>;

/** Reads one field; its path is taken apart once, since rules ask thousands of times. */
export function answerOf<Field extends SectionField>(
  field: Field,
): (anamnesis: PartialAnamnesis) => AnswerAt<Field> | undefined {
  const [section = '', key = ''] = field.split('.');
  return (anamnesis) => {
    const answers = anamnesis[section as SectionName] as Record<string, unknown> | undefined;
    return answers?.[key] as AnswerAt<Field> | undefined;
  };
}

export const answerAt = <Field extends SectionField>(
  anamnesis: PartialAnamnesis,
  field: Field,
): AnswerAt<Field> | undefined => answerOf(field)(anamnesis);
