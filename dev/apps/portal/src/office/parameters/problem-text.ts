import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { officeTexts } from '../i18n/texts.ts';
import type { EntryProblem } from './entry.ts';
import type { NumberKind } from './value-kind.ts';

/** What is wrong with an entry, in words. */
export function problemText(problem: EntryProblem): string {
  const { intake, fields } = texts.value;
  const { notJson } = officeTexts.value.parameters;
  switch (problem.code) {
    case 'number':
      return intake.enterNumber;
    case 'whole':
      return intake.enterWhole;
    case 'required':
      return fields.required;
    case 'invalid':
      return fields.invalid_format;
    case 'json':
      return notJson;
    case 'few':
      return fill(intake.chooseSome, { min: number(problem.min) });
    case 'many':
      return fill(intake.chooseFewer, { max: number(problem.max) });
    case 'above':
      return fill(officeTexts.value.parameters.above, { min: number(problem.min), max: number(problem.max) });
    case 'range':
      return fill(intake.enterBetween, { min: number(problem.min), max: number(problem.max) });
  }
}

/** What may stand in a number, such as “From 5 to 240”. */
export function rangeText({ min, max, isAbove }: NumberKind): string | undefined {
  if (min === undefined || max === undefined) return undefined;
  const form = isAbove ? officeTexts.value.parameters.above : texts.value.intake.range;
  return fill(form, { min: number(min), max: number(max) });
}
