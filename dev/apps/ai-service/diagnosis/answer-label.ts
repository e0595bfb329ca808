import { z } from 'zod';
import { Anamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import {
  LocationPrimary,
  LocationSecondary,
} from '../../../../src/domain/intake/anamnesis/vocabulary/locations.ts';
import type { Language } from '../../../../src/contract/language.ts';
import { LOCATION } from './catalogue.ts';
import { labelOf } from '../../../../src/domain/intake/anamnesis/labels.ts';

/** The label of an answer, by the dotted path of its field: `lesion.colors`, `medications[].drugClass`. */
export function answerLabel(field: string, value: string, language: Language): string {
  if (field === LOCATION) {
    const isRegion = LocationPrimary.safeParse(value).success;
    return labelOf(isRegion ? LocationPrimary : LocationSecondary, value, language);
  }
  const enumeration = enumerationAt(field);
  return enumeration === undefined ? value.replaceAll('_', ' ') : labelOf(enumeration, value, language);
}

/** The enumeration of a field of the anamnesis; undefined for other fields. */
function enumerationAt(field: string): z.ZodEnum | undefined {
  let schema: unknown = Anamnesis;
  for (const key of field.split('.').map((part) => part.replace('[]', ''))) {
    if (!(schema instanceof z.ZodObject)) return undefined;
    schema = bare(schema.shape[key]);
  }
  return schema instanceof z.ZodEnum ? schema : undefined;
}

/** The schema of one value: neither optional nor a list. */
function bare(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return bare(schema.unwrap());
  return schema instanceof z.ZodArray ? bare(schema.element) : schema;
}
