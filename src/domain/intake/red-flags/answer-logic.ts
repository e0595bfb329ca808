import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';

type SectionName = 'patient' | 'complaint' | 'lesion' | 'symptoms' | 'history' | 'exposures';
type Section<Name extends keyof PartialAnamnesis> = NonNullable<PartialAnamnesis[Name]>;

/** A field outside of the lists, by its dotted path: `lesion.colors`. */
export type SectionField = {
  [Name in SectionName]: `${Name}.${keyof Section<Name> & string}`;
}[SectionName];

/** Any field that a rule can read, spelt like `fieldName` of a question: `medications[].startedRelative`. */
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

/** The values of an answer, or those that a multi-select offers. */
export type ValueAt<Field extends SectionField> =
  AnswerAt<Field> extends readonly (infer Value)[] ? Value : AnswerAt<Field>;

/** @returns a reader of one field; the path is split once, because rules read it thousands of times. */
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

/**
 * Three-valued truth of a condition (Kleene's strong logic): met, unmet, or open because answers are missing. Removing an
 * answer can open a condition; it never turns one into its opposite.
 */
export interface Truth {
  readonly value: boolean | undefined;
  /**
   * Where `value` is undefined: the fields whose answers would decide it, in the order in which the rule would ask for
   * them. Empty otherwise.
   */
  readonly openFields: readonly AnswerField[];
}

export type Condition = (anamnesis: PartialAnamnesis) => Truth;

export const met: Truth = { value: true, openFields: [] };
export const unmet: Truth = { value: false, openFields: [] };
export const open = (...openFields: AnswerField[]): Truth => ({ value: undefined, openFields });

export const decided = (value: boolean): Truth => (value ? met : unmet);

/** Unmet when one is unmet, met when all are met. */
export const all =
  (...conditions: readonly Condition[]): Condition =>
  (anamnesis) =>
    combine(conditions, anamnesis, unmet, met);

/** Met when one is met, unmet when all are unmet. */
export const some =
  (...conditions: readonly Condition[]): Condition =>
  (anamnesis) =>
    combine(conditions, anamnesis, met, unmet);

export const not =
  (condition: Condition): Condition =>
  (anamnesis) => {
    const truth = condition(anamnesis);
    return truth.value === undefined ? truth : decided(!truth.value);
  };

/** Met unless the answers exclude it: an open answer counts as yes and is not requested. */
export const unlessExcluded =
  (condition: Condition): Condition =>
  (anamnesis) =>
    decided(condition(anamnesis).value !== false);

/** Met only when the answers show it: an open answer counts as no and is not requested. */
export const onlyIfShown =
  (condition: Condition): Condition =>
  (anamnesis) =>
    decided(condition(anamnesis).value === true);

/** Met when at least `minimum` of the conditions are met. */
export const atLeastOf =
  (minimum: number, ...conditions: readonly Condition[]): Condition =>
  (anamnesis) => {
    const truths = conditions.map((condition) => condition(anamnesis));
    const metCount = truths.filter(({ value }) => value === true).length;
    const undecided = truths.filter(({ value }) => value === undefined);
    if (metCount >= minimum) return met;
    return metCount + undecided.length < minimum ? unmet : openOf(undecided);
  };

/** `decisive` when one condition is, `otherwise` when none can be, else open. */
function combine(
  conditions: readonly Condition[],
  anamnesis: PartialAnamnesis,
  decisive: Truth,
  otherwise: Truth,
): Truth {
  const undecided: Truth[] = [];
  for (const condition of conditions) {
    const truth = condition(anamnesis);
    if (truth.value === decisive.value) return decisive;
    if (truth.value === undefined) undecided.push(truth);
  }
  return undecided.length === 0 ? otherwise : openOf(undecided);
}

function openOf(truths: readonly Truth[]): Truth {
  const [only] = truths;
  if (only !== undefined && truths.length === 1) return only;
  // A loop rather than a Set, as the rules are evaluated thousands of times for a questionnaire and the lists are short.
  const fields: AnswerField[] = [];
  for (const { openFields } of truths) {
    for (const field of openFields) if (!fields.includes(field)) fields.push(field);
  }
  return { value: undefined, openFields: fields };
}
