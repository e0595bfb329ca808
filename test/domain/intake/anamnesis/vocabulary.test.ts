import { expect, test } from 'vitest';
import { z } from 'zod';
import { Anamnesis, PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import * as diagnosis from '../../../../src/domain/intake/diagnoses/diagnosis.schemas.ts';
import * as question from '../../../../src/domain/intake/questions/question.schemas.ts';
import * as redFlags from '../../../../src/domain/intake/red-flags/red-flags.schemas.ts';
import * as triage from '../../../../src/domain/intake/triage/triage.schemas.ts';
import * as complaint from '../../../../src/domain/intake/anamnesis/vocabulary/complaint.ts';
import * as exposures from '../../../../src/domain/intake/anamnesis/vocabulary/exposures.ts';
import * as history from '../../../../src/domain/intake/anamnesis/vocabulary/history.ts';
import * as images from '../../../../src/domain/intake/anamnesis/vocabulary/images.ts';
import * as appearance from '../../../../src/domain/intake/anamnesis/vocabulary/lesion-appearance.ts';
import * as signs from '../../../../src/domain/intake/anamnesis/vocabulary/lesion-signs.ts';
import * as locations from '../../../../src/domain/intake/anamnesis/vocabulary/locations.ts';
import * as medications from '../../../../src/domain/intake/anamnesis/vocabulary/medications.ts';
import * as patient from '../../../../src/domain/intake/anamnesis/vocabulary/patient.ts';
import * as symptoms from '../../../../src/domain/intake/anamnesis/vocabulary/symptoms.ts';
import * as language from '../../../../src/contract/language.ts';
import { enumerations, fields, secondaryByPrimary } from './manifest.ts';

const assessments = { diagnosis, question, redFlags, triage };
const modules = { complaint, exposures, history, images, appearance, signs };
const otherModules = { language, locations, medications, patient, symptoms };
const schemas = Object.entries(
  Object.assign({}, ...Object.values({ ...assessments, ...modules, ...otherModules })) as Record<
    string,
    unknown
  >,
).filter((entry): entry is [string, z.ZodEnum] => entry[1] instanceof z.ZodEnum);

test('there are exactly the 82 enumerations with their 730 values, in order', () => {
  expect(Object.fromEntries(schemas.map(([name, schema]) => [name, schema.options]))).toEqual(enumerations);
  expect(schemas).toHaveLength(82);
  expect(schemas.flatMap(([, schema]) => schema.options)).toHaveLength(730);
});

test('an enumeration is a described component under its own name', () => {
  for (const [name, schema] of schemas) {
    expect(schema.meta()).toMatchObject({ id: name, description: expect.stringMatching(/\.$/) });
  }
});

test('every exact place belongs to the body region of the research', () => {
  expect(locations.secondaryByPrimary).toEqual(secondaryByPrimary);
});

test('a complete anamnesis has exactly the 102 fields, with these types and required', () => {
  // The gateway fills these two in, so a client may leave them out.
  const filledIn = ['schemaVersion', 'language'];
  expect(publishedFields(Anamnesis)).toEqual(
    fields.map(({ path, type, required }) => ({
      path,
      type,
      required: required === 'R' && !filledIn.includes(path),
    })),
  );
  expect(fields).toHaveLength(102);
});

test('a partial anamnesis has the same fields and requires none', () => {
  expect(publishedFields(PartialAnamnesis)).toEqual(
    fields.map(({ path, type }) => ({ path, type, required: false })),
  );
});

test('unknown fields are refused at every level of the published schema', () => {
  const published = z.toJSONSchema(Anamnesis, { io: 'input' });
  const objects = Object.entries(published.$defs ?? {}).filter(([, schema]) => schema.type === 'object');
  expect(objects.map(([name]) => name).toSorted()).toEqual([
    'Anamnesis',
    'BodyLocation',
    'Complaint',
    'Exposures',
    'History',
    'ImageQuality',
    'ImageReference',
    'Lesion',
    'Medication',
    'Patient',
    'Symptoms',
  ]);
  for (const [, schema] of objects) expect(schema.additionalProperties).toBe(false);
});

test('the complete and the partial schema can be published in one document', () => {
  const { schemas: published } = z.toJSONSchema(z.globalRegistry, {
    io: 'input',
    // Schemas of other modules may be registered, too.
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
  });
  expect(published['Anamnesis']?.properties?.['patient']).toEqual({ $ref: '#/components/schemas/Patient' });
  expect(published['PartialAnamnesis']?.properties?.['lesion']).toEqual({
    $ref: '#/components/schemas/Lesion',
  });
  expect(published['Patient']?.properties?.['gender']).toEqual({ $ref: '#/components/schemas/Gender' });
  expect(published['Gender']?.enum).toEqual(enumerations['Gender']);
});

test('every list has its limit in the published schema', () => {
  const { properties = {} } = z.toJSONSchema(Anamnesis, { io: 'input' }).$defs?.['Anamnesis'] ?? {};
  expect(properties).toMatchObject({
    locations: { minItems: 1, maxItems: 20 },
    medications: { maxItems: 30 },
    images: { maxItems: 10 },
  });
});

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The published schema, in the manifest's notation. */
function publishedFields(schema: z.ZodObject) {
  const { $defs: components = {} } = z.toJSONSchema(schema, { io: 'input' });
  const componentOf = ({ $ref }: JsonSchema) => {
    const name = $ref?.split('/').at(-1) ?? '';
    return { name, component: components[name] ?? {} };
  };
  const fieldsOf = (object: JsonSchema, prefix: string): object[] =>
    Object.entries(object.properties ?? {}).flatMap(([key, value]) => {
      const property = value as JsonSchema;
      const path = prefix + key;
      const required = object.required?.includes(key) ?? false;
      const isList = property.type === 'array';
      const { name, component } = componentOf(isList ? (property.items as JsonSchema) : property);
      if (component.type === 'object') return fieldsOf(component, `${path}${isList ? '[]' : ''}.`);
      return { path, type: name ? `${name}${isList ? '[]' : ''}` : typeName(property), required };
    });
  const root = componentOf(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema);
  return fieldsOf(root.component, '');
}

function typeName(schema: JsonSchema): string {
  const { type, minimum, maximum = Infinity, minLength, maxLength } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.format === 'date-time') return 'date-time';
  if (type === 'boolean') return 'bool';
  if (type === 'string') return `text ${minLength === undefined ? '<=' : `${minLength}..`}${maxLength}`;
  const name = type === 'integer' ? 'int' : 'num';
  return `${name} ${maximum >= Number.MAX_SAFE_INTEGER ? `>=${minimum}` : `${minimum}..${maximum}`}`;
}
