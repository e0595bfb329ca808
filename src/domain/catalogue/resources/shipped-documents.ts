// JSON documents for apps, made from the code that checks what apps send, so that the two cannot disagree.
import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Anamnesis, PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { areLabelsDrafted, type LabelGroups, labelGroups, labelOf } from '../../intake/anamnesis/labels.ts';
import {
  LocationPrimary,
  LocationSecondary,
  LocationSide,
  secondaryByPrimary,
} from '../../intake/anamnesis/vocabulary/locations.ts';

type Labels = Record<Language, string>;

export interface BodyMap {
  version: '1';
  regions: { primary: LocationPrimary; labels: Labels; places: { secondary: string; labels: Labels }[] }[];
  sides: { side: string; labels: Labels }[];
  /** Languages whose labels no native clinician has reviewed. */
  machine_drafted: Language[];
}

const labelsOf = (enumeration: z.ZodEnum, value: string): Labels =>
  Object.fromEntries(
    Language.options.map((language) => [language, labelOf(enumeration, value, language)]),
  ) as Labels;

/** The regions of the body with their exact places, as `locations` of an anamnesis takes them, in four languages. */
function bodyMap(): BodyMap {
  return {
    version: '1',
    regions: LocationPrimary.options.map((primary) => ({
      primary,
      labels: labelsOf(LocationPrimary, primary),
      places: secondaryByPrimary[primary].map((secondary) => ({
        secondary,
        labels: labelsOf(LocationSecondary, secondary),
      })),
    })),
    sides: LocationSide.options.map((side) => ({ side, labels: labelsOf(LocationSide, side) })),
    machine_drafted: Language.options.filter((language) => areLabelsDrafted(language)),
  };
}

/** JSON Schema 2020-12 of a complete anamnesis. */
function anamnesisSchema(): object {
  const schema = z.toJSONSchema(Anamnesis, { io: 'input' });
  // `id` is zod's note of the name, not a keyword of JSON Schema.
  for (const definition of Object.values(schema.$defs ?? {})) delete definition.id;
  return schema;
}

export interface AnamnesisLabels {
  version: '1';
  /** The enumeration of each field by its path, such as `complaint.duration`; items of lists have no index. */
  fields: Record<string, string>;
  /** By language, enumeration and value. */
  labels: Record<Language, LabelGroups>;
  /** Languages whose labels no native clinician has reviewed. */
  machine_drafted: Language[];
}

/** What the values of an anamnesis are called, in four languages. */
function anamnesisLabels(): AnamnesisLabels {
  const fields: Record<string, string> = {};
  collectFields(PartialAnamnesis, '', fields);
  return {
    version: '1',
    fields,
    labels: Object.fromEntries(
      Language.options.map((language) => [language, labelGroups(language)]),
    ) as AnamnesisLabels['labels'],
    machine_drafted: Language.options.filter((language) => areLabelsDrafted(language)),
  };
}

function collectFields(schema: z.core.$ZodType, path: string, fields: Record<string, string>): void {
  const inner = withoutWrappers(schema);
  if (inner instanceof z.ZodObject) {
    for (const [key, child] of Object.entries(inner.shape))
      collectFields(child as z.core.$ZodType, path === '' ? key : `${path}.${key}`, fields);
  } else if (inner instanceof z.ZodArray) {
    collectFields(inner.element as z.core.$ZodType, path, fields);
  } else if (inner instanceof z.ZodEnum) {
    const name = inner.meta()?.id;
    if (name !== undefined) fields[path] = name;
  }
}

function withoutWrappers(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return withoutWrappers(schema.unwrap() as z.core.$ZodType);
  return schema instanceof z.ZodPipe ? withoutWrappers(schema.in as z.core.$ZodType) : schema;
}

/** Makes it with the first request: an instance that is never asked for it does not spend the time at its start. */
function once(make: () => object): () => string {
  let text: string | undefined;
  return () => (text ??= JSON.stringify(make()));
}

/** The texts of the documents by name. */
export const shippedDocuments = {
  'body-map.json': once(bodyMap),
  'anamnesis-schema.json': once(anamnesisSchema),
  'anamnesis-labels.json': once(anamnesisLabels),
} as const;
