import fc from 'fast-check';
import { enumerations, fields, type ManifestField, secondaryByPrimary } from './manifest.ts';

// Valid questionnaires, made from the manifest rather than from the schemas under test.

type Json = Record<string, unknown>;

export const IMAGE_HOST = 'images.example.org';

const sizes: Readonly<Record<string, [number, number]>> = {
  under_2_mm: [0.1, 1.99],
  from_2_to_6_mm: [2, 6.99],
  from_7_to_10_mm: [7, 10.99],
  from_11_to_20_mm: [11, 20.99],
  from_21_to_50_mm: [21, 50],
  over_50_mm: [50.5, 1000],
};

const manyOf = (values: string[]) =>
  values.includes('none')
    ? fc.oneof(fc.constant(['none']), fc.shuffledSubarray(values.filter((value) => value !== 'none')))
    : fc.shuffledSubarray(values);

/** Latin, Hebrew, Arabic, an astral character and what JSON must escape; all of it NFC already. */
const character = fc.constantFrom(...Array.from('aZ9 é"\\/~פרחطفח😀\n\u2068'));
const textOf = (min: number, max: number) =>
  fc.oneof(
    fc
      .array(character, { minLength: min, maxLength: Math.min(max, 30) })
      .map((characters) => characters.join('')),
    fc.constant('😀'.repeat(max)),
  );

const url = fc.oneof(
  fc.uuid().map((uuid) => `/api/common/images/${uuid}`),
  fc.webPath().map((path) => `https://${IMAGE_HOST}${path}`),
);

function valueOf({ path, type }: ManifestField): fc.Arbitrary<unknown> {
  if (path === 'images[].url') return url;
  const values = enumerations[type.replace('[]', '')];
  if (values !== undefined) return type.endsWith('[]') ? manyOf(values) : fc.constantFrom(...values);
  const [kind = '', limits = ''] = type.split(' ');
  const [min = 0, max = 5000] = (limits.startsWith('<=') ? `0..${limits.slice(2)}` : limits.replace('>=', ''))
    .split('..')
    .map(Number);
  switch (kind) {
    case '"1"':
      return fc.constant('1');
    case 'bool':
      return fc.boolean();
    case 'int':
      return fc.integer({ min, max });
    case 'num':
      return fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
    case 'text':
      return textOf(min, max);
    case 'date-time':
      return fc
        .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString().replace('Z', '+02:00'));
    default:
      throw new Error(`The manifest has an unknown type: ${type}`);
  }
}

/** An object of the fields directly below `section`, such as `patient` or `locations[]`. */
function section(name: string): fc.Arbitrary<Json> {
  const own = fields.filter(({ path }) => path.slice(0, path.lastIndexOf('.')) === name);
  return fc.record(
    Object.fromEntries(own.map((field) => [field.path.slice(name.length + 1), valueOf(field)])),
    {
      requiredKeys: own
        .filter(({ required }) => required === 'R')
        .map(({ path }) => path.slice(name.length + 1)),
    },
  ) as fc.Arbitrary<Json>;
}

const without = (object: Json, key: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

/** Without `pregnant` where sex or age forbid it, without its weeks, and without months that disagree with the years. */
function plausible(patient: Json): Json {
  const { ageYears, ageMonths, ageGroup, sexAtBirth, gender, pregnancyStatus, pregnancyWeeks } = patient;
  const years = ageYears ?? (ageMonths === undefined ? undefined : Math.floor(Number(ageMonths) / 12));
  const canBePregnant =
    (sexAtBirth ?? gender) !== 'male' &&
    (years === undefined
      ? !['age_0_to_1', 'age_70_to_79', 'age_80_or_above'].includes(String(ageGroup))
      : Number(years) >= 10 && Number(years) <= 60);
  const wrong = [
    ...(pregnancyStatus === 'pregnant' && !canBePregnant ? ['pregnancyStatus'] : []),
    ...(pregnancyWeeks !== undefined && pregnancyStatus !== 'pregnant' ? ['pregnancyWeeks'] : []),
    ...(ageMonths !== undefined && Math.floor(Number(ageMonths) / 12) !== years ? ['ageMonths'] : []),
  ];
  return wrong.reduce(without, patient);
}

const patient = fc
  .tuple(section('patient'), fc.integer({ min: 0, max: 120 }))
  .map(([fields, age]) =>
    plausible('ageYears' in fields || 'ageGroup' in fields ? fields : { ...fields, ageYears: age }),
  );

const location = fc.tuple(section('locations[]'), fc.nat()).map(([fields, pick]): Json => {
  const places = secondaryByPrimary[String(fields['primary'])] ?? [];
  return 'secondary' in fields ? { ...fields, secondary: places[pick % places.length] } : fields;
});

const lesion = fc
  .tuple(section('lesion'), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([fields, part]): Json => {
    const [from, to] = sizes[String(fields['size'])] ?? [0.1, 1000];
    return 'sizeMm' in fields ? { ...fields, sizeMm: from + part * (to - from) } : fields;
  });

const medication = section('medications[]').map((fields) =>
  fields['purpose'] === 'this_skin_problem' && fields['improvement'] === 'not_applicable'
    ? { ...fields, improvement: 'too_early' }
    : fields,
);

const image = fc
  .tuple(section('images[]'), fc.option(section('images[].quality'), { nil: undefined }))
  .map(([fields, quality]): Json => (quality === undefined ? fields : { ...fields, quality }));

/** Complete and valid, as far as `IMAGE_HOST` is accepted. */
export const anyAnamnesis: fc.Arbitrary<Json> = fc
  .record(
    {
      schemaVersion: fc.constant('1'),
      language: fc.constantFrom('en', 'he', 'ar', 'es'),
      reporter: fc.constantFrom(...(enumerations['Reporter'] ?? [])),
      patient,
      complaint: section('complaint'),
      locations: fc.array(location, { minLength: 1, maxLength: 20 }),
      lesion,
      symptoms: section('symptoms'),
      history: section('history'),
      exposures: section('exposures'),
      medications: fc.array(medication, { maxLength: 30 }),
      images: fc.array(image, { maxLength: 10 }),
    },
    { requiredKeys: ['patient', 'complaint', 'locations', 'symptoms'] },
  )
  .map((anamnesis): Json => {
    if (anamnesis.images === undefined) return anamnesis;
    const images = anamnesis.images.map((image) =>
      'locationIndex' in image
        ? { ...image, locationIndex: Number(image['locationIndex']) % anamnesis.locations.length }
        : image,
    );
    return { ...anamnesis, images };
  });

/** A valid anamnesis, and what is left of it when any keys at any depth are taken away. */
export const anyAnamnesisAndPart: fc.Arbitrary<[whole: Json, part: Json]> = fc
  .tuple(anyAnamnesis, fc.infiniteStream(fc.integer({ min: 0, max: 2 })))
  .map(([anamnesis, dice]) => {
    const thin = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(thin);
      if (typeof value !== 'object' || value === null) return value;
      const kept = Object.entries(value).filter(() => dice.next().value !== 0);
      return Object.fromEntries(kept.map(([key, item]) => [key, thin(item)]));
    };
    const part = thin(anamnesis) as Json;
    return [anamnesis, 'patient' in part ? { ...part, patient: plausible(part['patient'] as Json) } : part];
  });

export const anyPartialAnamnesis = anyAnamnesisAndPart.map(([, part]) => part);
