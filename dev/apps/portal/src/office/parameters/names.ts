import { type Language, languageNames } from '../../i18n/texts.ts';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { number } from '../../i18n/format.ts';
import { officeTexts } from '../i18n/texts.ts';
import type { ValueKind } from './value-kind.ts';

const lookUp = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;

/** The name of a set in words; a set that only clients use has none. */
export const setName = (branch: string, subBranch: string): string | undefined =>
  lookUp(officeTexts.value.parameters.sets, `${branch}/${subBranch}`);

/** The name of a key in words, else the key. */
export const keyName = (key: string): string => lookUp(officeTexts.value.parameters.keys, key) ?? key;

/** The parts of a list stand for the ranks of urgency, as nothing else has such lists. */
export const partName = (name: string, isTuple: boolean): string =>
  (isTuple ? lookUp(officeTexts.value.parameters.ranks, name) : undefined) ?? keyName(name);

/** One of the values that a schema lists: a language, a role or a code. */
export function optionName(option: string): string {
  const { roles } = staffTexts.value;
  return (
    lookUp(languageNames, option as Language) ??
    lookUp(roles, option) ??
    lookUp(officeTexts.value.parameters.options, option) ??
    option
  );
}

/** A value in words, as far as its schema tells what it is. */
export function shownValue(kind: ValueKind, value: unknown): string {
  const { none, yes, no } = staffTexts.value;
  if (value === null || value === undefined || value === '') return none;
  if (kind.kind === 'boolean') return value === true ? yes : no;
  if (kind.kind === 'parts') {
    const values = value as Readonly<Record<string, unknown>>;
    const part = ({ name, kind: of }: (typeof kind.parts)[number]) =>
      `${partName(name, kind.isTuple)}: ${shownValue(of, values[name])}`;
    return kind.parts.map(part).join(', ');
  }
  if (kind.kind === 'json') return JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? none : value.map(shownScalar).join(', ');
  return shownScalar(value);
}

const shownScalar = (value: unknown): string =>
  typeof value === 'number' ? number(value) : optionName(String(value));
