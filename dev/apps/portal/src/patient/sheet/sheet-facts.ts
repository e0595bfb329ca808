import type { PartialAnamnesis, RedFlags } from 'dermagate-client';
import type { AnamnesisLabels } from '../../gateway/anamnesis-labels.ts';
import { dictionaries, type Language } from '../../i18n/texts.ts';
import { bareFlags, flagsInOrder, isOpen } from '../result/assessment.ts';
import { sheetDictionaries, type SheetField } from './i18n/texts.ts';

export interface Fact {
  field: string;
  label: string;
  value: string;
}

export interface SheetFacts {
  person: Fact[];
  complaint: Fact[];
  history: Fact[];
  medicines: string[];
}

type Section = Record<string, unknown>;

/** Every answer in words of `language`, as a doctor reads them; what was not answered is left out. */
export function sheetFacts(
  anamnesis: PartialAnamnesis,
  { fields, labels }: AnamnesisLabels,
  language: Language,
): SheetFacts {
  const words = sheetDictionaries[language];
  const numbers = new Intl.NumberFormat(language);

  const labelOf = (path: string, value: unknown): string => {
    if (typeof value === 'boolean') return value ? words.yes : words.no;
    if (typeof value === 'number') return numbers.format(value);
    const enumeration = fields[path];
    const named = enumeration === undefined ? undefined : labels[language][enumeration]?.[String(value)];
    return named ?? String(value);
  };
  const inWords = (path: string, value: unknown): string =>
    [value]
      .flat()
      .map((each) => labelOf(path, each))
      .join(', ');

  const factsOf = (name: string, section: object = {}): Fact[] =>
    Object.entries(section as Section)
      .filter(([key, value]) => isTold(value) && !key.startsWith('age'))
      .map(([key, value]) => {
        const field = `${name}.${key}`;
        return { field, label: words[field as SheetField] ?? key, value: inWords(field, value) };
      });

  const { reporter, patient, complaint, lesion, symptoms, history, exposures } = anamnesis;
  const place = placesOf(anamnesis).map((parts) =>
    parts.map(([path, value]) => labelOf(path, value)).join(', '),
  );
  return {
    person: [
      ...factsOf('patient', patient),
      ...(reporter === undefined
        ? []
        : [{ field: 'reporter', label: words.reporter, value: labelOf('reporter', reporter) }]),
    ],
    complaint: [
      ...factsOf('complaint', complaint),
      ...(place.length === 0
        ? []
        : [{ field: 'locations', label: words.locations, value: place.join('; ') }]),
      ...factsOf('lesion', lesion),
      ...factsOf('symptoms', symptoms),
    ],
    history: [...factsOf('history', history), ...factsOf('exposures', exposures)],
    medicines: medicinesOf(anamnesis, words, inWords),
  };
}

const isTold = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The exact place says the region too. */
const placesOf = ({ locations = [] }: PartialAnamnesis): [string, string][][] =>
  locations.map(({ primary, secondary, side }) => {
    const place: [string, string | undefined][] =
      secondary === undefined ? [['locations.primary', primary]] : [['locations.secondary', secondary]];
    return [...place, ['locations.side', side] as [string, string | undefined]].filter(
      (part): part is [string, string] => part[1] !== undefined,
    );
  });

function medicinesOf(
  { medications }: PartialAnamnesis,
  { noMedicines: none, medicine: unnamed, stopped }: Record<'noMedicines' | 'medicine' | 'stopped', string>,
  inWords: (path: string, value: unknown) => string,
): string[] {
  if (medications === undefined) return [];
  if (medications.length === 0) return [none];
  return medications.map(({ name = unnamed, ...others }) => {
    const facts = Object.entries(others as Section)
      .filter(([, value]) => isTold(value) && typeof value !== 'boolean')
      .map(([key, value]) => inWords(`medications.${key}`, value));
    if (others.stillTaking === false) facts.push(stopped);
    // Isolated: a name in Latin letters must not reorder the words behind it.
    const isolated = `\u2068${name}\u2069`;
    return facts.length === 0 ? isolated : `${isolated} (${facts.join(', ')})`;
  });
}

/** `Noa Levi` is `N. L.`; scripts without capitals too. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part) => `${String.fromCodePoint(part.codePointAt(0) ?? 0).toLocaleUpperCase()}.`)
    .join(' ');

export interface FlagLine {
  /** Undefined where the urgency of the flag is not known. */
  urgency: string | undefined;
  text: string;
}

/**
 * A line for every flag, the most urgent first. Texts are optional for an AI service, so flags may have only a code, which
 * a doctor can read. They may be what makes the whole urgent, where no other flag is.
 */
export function flagLines(redFlags: RedFlags, language: Language): FlagLine[] {
  const { result } = dictionaries[language];
  const named = flagsInOrder(redFlags);
  const bare = bareFlags(redFlags);
  const lines = named.map((flag): FlagLine => {
    return { urgency: isOpen(flag) ? result.notExcluded : result.urgency[flag.urgency], text: flag.text };
  });
  if (bare.length === 0 && named.length > 0) return lines;
  const codes = bare.length > 0 ? ` (${bare.map((code) => `\u2068${code}\u2069`).join(', ')})` : '';
  const isExplained = named[0]?.urgency === redFlags.urgency;
  const unnamed = {
    urgency: isExplained ? undefined : result.urgency[redFlags.urgency],
    text: result.unnamedFlag + codes,
  };
  return isExplained ? [...lines, unnamed] : [unnamed, ...lines];
}
