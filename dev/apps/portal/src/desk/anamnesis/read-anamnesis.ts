import type { PartialAnamnesis } from 'dermagate-client';
import type { AnamnesisLabels } from '../../gateway/desk-types.ts';
import type { Language } from '../../i18n/texts.ts';
import { fill } from '../../i18n/texts.ts';
import type { DeskTexts } from '../i18n/en.ts';
import { isNotable } from './notable.ts';

type Words = DeskTexts['anamnesis'];
export type SectionName = keyof Words['sections'];
export type FieldName = keyof Words['fields'];

export interface Finding {
  field: FieldName;
  /** In words, one for each item of a list. */
  values: readonly string[];
  notable: boolean;
}

export interface Section {
  name: SectionName;
  /** The notable ones first, otherwise in the order of the form. */
  findings: readonly Finding[];
  unanswered: readonly FieldName[];
}

export interface Wording {
  language: Language;
  /** Undefined until they are there: codes are shown with spaces. */
  labels: AnamnesisLabels | undefined;
  words: Words;
  yes: string;
  no: string;
}

const order: readonly SectionName[] = [
  'complaint',
  'lesion',
  'symptoms',
  'history',
  'medications',
  'exposures',
  'patient',
];
/** Fields outside of the part of the anamnesis that their section is named after. */
const elsewhere: Partial<Record<FieldName, SectionName>> = { locations: 'complaint', reporter: 'patient' };
/** Shown with a unit. */
const units = {
  'lesion.sizeMm': 'millimetres',
  'symptoms.itchSeverity': 'ofTen',
  'symptoms.painSeverity': 'ofTen',
  'symptoms.temperatureC': 'celsius',
  'patient.ageYears': 'years',
  'patient.ageMonths': 'months',
  'patient.pregnancyWeeks': 'weeks',
} as const;

/** An anamnesis as a doctor reads it, section by section. */
export function readAnamnesis(anamnesis: PartialAnamnesis, wording: Wording): Section[] {
  const fields = Object.keys(wording.words.fields) as FieldName[];
  return order.map((name) => {
    const own = fields.filter((field) => (elsewhere[field] ?? field.split('.')[0]) === name);
    const findings = own.flatMap((field) => findingOf(anamnesis, field, wording) ?? []);
    const found = new Set(findings.map(({ field }) => field));
    return {
      name,
      findings: findings.toSorted((a, b) => Number(b.notable) - Number(a.notable)),
      unanswered: own.filter((field) => !found.has(field)),
    };
  });
}

function findingOf(anamnesis: PartialAnamnesis, field: FieldName, wording: Wording): Finding | undefined {
  if (field === 'locations') return listOf(field, (anamnesis.locations ?? []).map(placeText(wording)));
  if (field === 'medications') return medicinesOf(anamnesis, wording);
  const value = valueAt(anamnesis, field);
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  const values = [value].flat().map((each) => textOf(field, each, wording));
  return { field, values, notable: isNotable(field, value) };
}

const listOf = (field: FieldName, values: readonly string[]): Finding | undefined =>
  values.length === 0 ? undefined : { field, values, notable: false };

function valueAt(anamnesis: PartialAnamnesis, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], anamnesis);
}

function textOf(field: string, value: unknown, { language, labels, words, yes, no }: Wording): string {
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value === 'number') {
    const count = new Intl.NumberFormat(language).format(value);
    return field in units ? fill(words[units[field as keyof typeof units]], { count }) : count;
  }
  const text = String(value);
  const enumeration = labels?.fields[field];
  if (enumeration === undefined) return labels === undefined ? text.replaceAll('_', ' ') : text;
  return labels?.labels[language][enumeration]?.[text] ?? text.replaceAll('_', ' ');
}

function placeText(wording: Wording) {
  return (place: NonNullable<PartialAnamnesis['locations']>[number]): string => {
    const part = (name: 'primary' | 'secondary' | 'side') =>
      place[name] === undefined ? [] : [textOf(`locations.${name}`, place[name], wording)];
    const site = part('secondary').length > 0 ? part('secondary') : part('primary');
    const side = place.side === 'not_applicable' ? [] : part('side');
    const main = place.isMain === true ? [wording.words.main] : [];
    return [...site, ...side, ...main].join(', ');
  };
}

function medicinesOf({ medications }: PartialAnamnesis, wording: Wording): Finding | undefined {
  if (medications === undefined) return undefined;
  if (medications.length === 0) return listOf('medications', [wording.words.noMedicines]);
  // The class is what a rule has read of a name that the physician may not know either.
  const parts = ['drugClass', 'route', 'purpose', 'duration', 'startedRelative', 'improvement'] as const;
  const texts = medications.map(({ name: given, ...medicine }) => {
    const { drugClass, ...withoutClass } = medicine;
    const name = given ?? textOf('medications.drugClass', drugClass ?? '', wording);
    const facts: typeof medicine = given === undefined ? withoutClass : medicine;
    const rest = parts.flatMap((part) =>
      facts[part] === undefined ? [] : [textOf(`medications.${part}`, facts[part], wording)],
    );
    const stopped = medicine.stillTaking === false ? [wording.words.stopped] : [];
    // Isolated: a name in Latin letters must neither reorder the words behind it nor turn their direction.
    return [`\u2068${name}\u2069`, ...rest, ...stopped].join(' · ');
  });
  return listOf('medications', texts);
}
