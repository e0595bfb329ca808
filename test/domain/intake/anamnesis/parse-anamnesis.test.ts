import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { possibleAges, possibleMonths } from '../../../../src/domain/intake/anamnesis/age.ts';
import { parseAnamnesis } from '../../../../src/domain/intake/anamnesis/parse-anamnesis.ts';
import { AgeGroup } from '../../../../src/domain/intake/anamnesis/vocabulary/patient.ts';
import { anyAnamnesis, anyPartialAnamnesis, IMAGE_HOST } from './arbitraries.ts';
import { anyMistakeIn, SUBMITTED } from './mutations.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const options = { language: 'en', imageUrlHosts: [IMAGE_HOST] } as const;
const partial = { ...options, partial: true } as const;

const IMAGE = '/api/common/images/0198f2a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b';

function complete(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    schemaVersion: '1',
    language: 'en',
    patient: { ageYears: 34, gender: 'female' },
    complaint: { category: 'rash', duration: 'one_day' },
    locations: [{ primary: 'arm', secondary: 'elbow' }],
    symptoms: { emergency: ['none'], local: ['itching'], systemic: ['none'] },
    ...changes,
  };
}

function errorsOf(input: unknown, how: { partial?: boolean } = {}) {
  const parsed = parseAnamnesis(input, { ...options, ...how });
  return parsed.ok ? [] : parsed.errors;
}

const refusals = (input: unknown, how?: { partial?: boolean }) =>
  errorsOf(input, how).map(({ pointer, code }) => `${pointer} ${code}`);

describe('what is valid', () => {
  test('every valid anamnesis is accepted unchanged', () => {
    fc.assert(
      fc.property(anyAnamnesis, (anamnesis) => {
        expect(parseAnamnesis(anamnesis, options)).toEqual({
          ok: true,
          value: { schemaVersion: '1', language: 'en', ...anamnesis },
        });
      }),
    );
  });

  test('every part of a valid anamnesis is accepted as a partial one', () => {
    fc.assert(
      fc.property(anyPartialAnamnesis, (answers) => {
        expect(parseAnamnesis(answers, partial)).toEqual({
          ok: true,
          value: { schemaVersion: '1', language: 'en', ...answers },
        });
      }),
    );
  });

  test('an absent version is 1 and an absent language is the one of the request', () => {
    const { schemaVersion: _version, language: _language, ...rest } = complete();
    expect(parseAnamnesis(rest, { ...options, language: 'he' })).toMatchObject({
      ok: true,
      value: { schemaVersion: '1', language: 'he' },
    });
    expect(parseAnamnesis({}, { ...partial, language: 'ar' })).toEqual({
      ok: true,
      value: { schemaVersion: '1', language: 'ar' },
    });
  });

  test('its own language wins over that of the request', () => {
    expect(parseAnamnesis(complete({ language: 'es' }), options)).toMatchObject({
      value: { language: 'es' },
    });
  });

  test('an empty list is an answer: none of the values', () => {
    expect(errorsOf(complete({ symptoms: { emergency: [], local: [], systemic: [] } }))).toEqual([]);
  });

  test('text is normalised to NFC, and limits count code points', () => {
    const description = 'e\u0301'.repeat(1000);
    expect(parseAnamnesis({ complaint: { description } }, partial)).toMatchObject({
      value: { complaint: { description: 'é'.repeat(1000) } },
    });
    expect(errorsOf({ complaint: { description: '😀'.repeat(1000) } }, partial)).toEqual([]);
    expect(refusals({ complaint: { description: '😀'.repeat(1001) } }, partial)).toEqual([
      '/complaint/description too_big',
    ]);
  });
});

describe('a wrong field is named by its pointer', () => {
  test('a single error anywhere is refused with exactly its pointer', () => {
    fc.assert(
      fc.property(
        anyAnamnesis.chain((anamnesis) => anyMistakeIn(anamnesis)),
        ({ kind, pointer, document }) => {
          const errors = errorsOf(document);
          expect(errors.map((error) => error.pointer)).toEqual([pointer]);
          const code = errors[0]?.code;
          if (kind === 'required' || kind === 'unknown_field') expect(code).toBe(kind);
          else expect(['invalid_value', 'invalid_type', 'invalid_format']).toContain(code);
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });

  test('a partial anamnesis may lack fields, and nothing else', () => {
    fc.assert(
      fc.property(
        anyAnamnesis.chain((anamnesis) => anyMistakeIn(anamnesis)),
        ({ kind, pointer, document }) => {
          const pointers = errorsOf(document, partial).map((error) => error.pointer);
          expect(pointers).toEqual(kind === 'required' ? [] : [pointer]);
        },
      ),
      { numRuns: propertyRuns(80) },
    );
  });

  test('no message repeats what was submitted', () => {
    fc.assert(
      fc.property(
        anyAnamnesis.chain((anamnesis) => anyMistakeIn(anamnesis)),
        ({ document }) => {
          for (const { message } of errorsOf(document)) expect(message).not.toContain(SUBMITTED);
        },
      ),
    );
  });

  test('one reply names every wrong field in document order, missing ones last', () => {
    const errors = refusals({
      symptoms: {
        local: ['none', 'itching', SUBMITTED],
        painSeverity: 11,
        itchSeverity: 1.5,
        systemic: ['fever', 'fever'],
      },
      locations: [{ secondary: 'nose', primary: 'arm' }, 'arm', { primary: 'hand', secondary: 'palm', x: 1 }],
      patient: { sexAtBirth: 'male', pregnancyStatus: 'pregnant', gender: SUBMITTED, ageYears: '34' },
      lesion: { sizeMm: 7, size: 'from_2_to_6_mm', colour: 'red' },
      images: [
        { url: 'https://elsewhere.example/1.jpg', locationIndex: 3, quality: { score: 2, sharp: true } },
      ],
      medications: [{ improvement: 'not_applicable', purpose: 'this_skin_problem', name: '' }],
    });
    expect(errors).toEqual([
      '/symptoms/local invalid_value',
      '/symptoms/local/2 invalid_value',
      '/symptoms/painSeverity too_big',
      '/symptoms/itchSeverity invalid_type',
      '/symptoms/systemic invalid_value',
      '/symptoms/emergency required',
      '/locations/0/secondary invalid_value',
      '/locations/1 invalid_type',
      '/locations/2/x unknown_field',
      '/patient/pregnancyStatus invalid_value',
      '/patient/gender invalid_value',
      '/patient/ageYears invalid_type',
      '/lesion/sizeMm invalid_value',
      '/lesion/colour unknown_field',
      '/images/0/url invalid_value',
      '/images/0/locationIndex invalid_value',
      '/images/0/quality/score too_big',
      '/images/0/quality/sharp unknown_field',
      '/medications/0/improvement invalid_value',
      '/medications/0/name too_small',
      '/medications/0/duration required',
      '/complaint required',
    ]);
  });

  test('a reply never names more than 100 fields', () => {
    const crowd = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, index]));
    const errors = errorsOf(complete(crowd));
    expect(errors).toHaveLength(100);
    expect(errors[0]?.pointer).toBe('/field0');
  });

  test('a value that is not an object is refused as a whole', () => {
    for (const input of [null, [], 'x', 1, undefined]) {
      expect(errorsOf(input).map(({ pointer }) => pointer)).toEqual(['']);
      expect(errorsOf(input, partial).map(({ pointer }) => pointer)).toEqual(['']);
    }
  });

  test('a misspelt enumeration value is answered with the allowed ones', () => {
    expect(errorsOf(complete({ patient: { ageYears: 5, gender: 'Female' } }))).toEqual([
      {
        pointer: '/patient/gender',
        code: 'invalid_value',
        message: 'Must be one of: female, male, other, prefer_not_to_say, unknown.',
      },
    ]);
  });
});

describe('fields of their own kind', () => {
  const cases: [what: string, input: object, refusal: string][] = [
    [
      'a control character',
      { complaint: { description: 'a\u0007' } },
      '/complaint/description invalid_format',
    ],
    ['a carriage return', { complaint: { description: 'a\r\n' } }, '/complaint/description invalid_format'],
    ['a NUL', { history: { allergyDetails: '\0' } }, '/history/allergyDetails invalid_format'],
    ['half a surrogate pair', { medications: [{ name: '\ud800' }] }, '/medications/0/name invalid_format'],
    ['an empty name', { medications: [{ name: '' }] }, '/medications/0/name too_small'],
    ['a name of 121', { medications: [{ name: 'x'.repeat(121) }] }, '/medications/0/name too_big'],
    ['301 of details', { history: { allergyDetails: 'x'.repeat(301) } }, '/history/allergyDetails too_big'],
    ['age 121', { patient: { ageYears: 121 } }, '/patient/ageYears too_big'],
    ['age −1', { patient: { ageYears: -1 } }, '/patient/ageYears too_small'],
    ['age 1.5', { patient: { ageYears: 1.5 } }, '/patient/ageYears invalid_type'],
    ['33.9 °C', { symptoms: { temperatureC: 33.9 } }, '/symptoms/temperatureC too_small'],
    ['43.1 °C', { symptoms: { temperatureC: 43.1 } }, '/symptoms/temperatureC too_big'],
    ['0 mm', { lesion: { sizeMm: 0 } }, '/lesion/sizeMm too_small'],
    [
      'brightness 256',
      { images: [{ quality: { brightness: 256 } }] },
      '/images/0/quality/brightness too_big',
    ],
    [
      'a date without time',
      { images: [{ capturedAt: '2026-05-04' }] },
      '/images/0/capturedAt invalid_format',
    ],
    ['version 2', { schemaVersion: '2' }, '/schemaVersion invalid_value'],
    ['21 locations', { locations: Array.from({ length: 21 }, () => ({})) }, '/locations too_big'],
    ['31 medicines', { medications: Array.from({ length: 31 }, () => ({})) }, '/medications too_big'],
    ['11 images', { images: Array.from({ length: 11 }, () => ({})) }, '/images too_big'],
    ['a value twice', { lesion: { colors: ['red', 'brown', 'red'] } }, '/lesion/colors invalid_value'],
    ['none and more', { symptoms: { emergency: ['fainting', 'none'] } }, '/symptoms/emergency invalid_value'],
  ];
  test.each(cases)('%s is refused', (_, input, refusal) => {
    expect(refusals(input, partial)).toEqual([refusal]);
  });

  test('a complete anamnesis has at least one location', () => {
    expect(refusals(complete({ locations: [] }))).toEqual(['/locations too_small']);
    expect(refusals({ locations: [] }, partial)).toEqual([]);
  });
});

describe('fields that contradict each other', () => {
  test('an age is given in years or as a band', () => {
    const gender = 'male';
    expect(refusals(complete({ patient: { gender } }))).toEqual(['/patient/ageYears required']);
    expect(refusals(complete({ patient: { gender, ageGroup: 'unknown' } }))).toEqual([]);
    expect(refusals(complete({ patient: { gender, ageGroup: 'old' } }))).toEqual([
      '/patient/ageGroup invalid_value',
    ]);
    expect(refusals({ patient: { gender } }, partial)).toEqual([]);
  });

  const refused = ['/patient/pregnancyStatus invalid_value'];
  const pregnancies: [who: string, patient: object, refusals: string[]][] = [
    ['a woman of 34', { ageYears: 34, gender: 'female' }, []],
    ['a girl of 10', { ageYears: 10, gender: 'female' }, []],
    ['a girl of 9', { ageYears: 9, gender: 'female' }, refused],
    ['a woman of 60', { ageYears: 60, gender: 'female' }, []],
    ['a woman of 61', { ageYears: 61, gender: 'female' }, refused],
    ['a band that reaches 10', { ageGroup: 'age_2_to_11', gender: 'female' }, []],
    ['a band that starts at 60', { ageGroup: 'age_60_to_69', gender: 'female' }, []],
    ['a band that ends before 10', { ageGroup: 'age_0_to_1', gender: 'female' }, refused],
    ['a band that starts after 60', { ageGroup: 'age_70_to_79', gender: 'female' }, refused],
    ['an unknown age', { ageGroup: 'unknown', gender: 'unknown' }, []],
    ['a man', { ageYears: 34, gender: 'male' }, refused],
    ['a man born female', { ageYears: 34, gender: 'male', sexAtBirth: 'female' }, []],
    ['a woman born male', { ageYears: 34, gender: 'female', sexAtBirth: 'male' }, refused],
    ['nobody in particular', {}, []],
  ];
  test.each(pregnancies)('pregnant: %s', (_, patient, expected) => {
    expect(refusals({ patient: { ...patient, pregnancyStatus: 'pregnant' } }, partial)).toEqual(expected);
  });

  test.each([
    ['sexAtBirth', 'invalid_value', { gender: 'male', sexAtBirth: SUBMITTED, ageYears: 34 }],
    ['ageYears', 'invalid_type', { gender: 'female', ageYears: '34', ageGroup: 'age_0_to_1' }],
    ['ageMonths', 'invalid_type', { gender: 'female', ageMonths: '408', ageGroup: 'age_0_to_1' }],
  ])('a wrong %s is the only error: nothing else is read in its place', (field, code, patient) => {
    expect(refusals({ patient: { ...patient, pregnancyStatus: 'pregnant' } }, partial)).toEqual([
      `/patient/${field} ${code}`,
    ]);
  });

  test('a patient who is not pregnant may be of any sex and age', () => {
    const patient = { ageYears: 3, gender: 'male', pregnancyStatus: 'not_applicable' };
    expect(refusals(complete({ patient }))).toEqual([]);
  });

  test.each([
    ['pregnant, in weeks', { ageYears: 34, pregnancyStatus: 'pregnant', pregnancyWeeks: 12 }, []],
    ['weeks alone', { ageYears: 34, pregnancyWeeks: 12 }, []],
    [
      'not pregnant, in weeks',
      { ageYears: 34, pregnancyStatus: 'not_pregnant', pregnancyWeeks: 12 },
      ['/patient/pregnancyWeeks invalid_value'],
    ],
    ['11 months, 0 years', { ageYears: 0, ageMonths: 11 }, []],
    ['12 months, 1 year', { ageYears: 1, ageMonths: 12 }, []],
    ['23 months, 1 year', { ageYears: 1, ageMonths: 23 }, []],
    ['12 months, 0 years', { ageYears: 0, ageMonths: 12 }, ['/patient/ageMonths invalid_value']],
    ['11 months, 1 year', { ageYears: 1, ageMonths: 11 }, ['/patient/ageMonths invalid_value']],
  ])('%s', (_, patient, expected) => {
    expect(refusals({ patient: { gender: 'female', ...patient } }, partial)).toEqual(expected);
  });

  const sizes: [size: string, sizeMm: number, fits: boolean][] = [
    ['under_2_mm', 1.99, true],
    ['under_2_mm', 2, false],
    ['from_2_to_6_mm', 1.99, false],
    ['from_2_to_6_mm', 2, true],
    ['from_2_to_6_mm', 6.5, true],
    ['from_2_to_6_mm', 7, false],
    ['from_7_to_10_mm', 6.9, false],
    ['from_7_to_10_mm', 7, true],
    ['from_7_to_10_mm', 10.9, true],
    ['from_11_to_20_mm', 11, true],
    ['from_11_to_20_mm', 21, false],
    ['from_21_to_50_mm', 21, true],
    ['from_21_to_50_mm', 50, true],
    ['from_21_to_50_mm', 51, false],
    ['from_7_to_10_mm', 11, false],
    ['from_11_to_20_mm', 10.9, false],
    ['from_11_to_20_mm', 20.9, true],
    ['from_21_to_50_mm', 20.9, false],
    ['over_50_mm', 49.9, false],
    ['over_50_mm', 50, true],
    ['over_50_mm', 50.1, true],
    ['over_50_mm', 1000, true],
  ];
  test.each(sizes)('%s and %d mm: %s', (size, sizeMm, fits) => {
    expect(refusals({ lesion: { size, sizeMm } }, partial)).toEqual(
      fits ? [] : ['/lesion/sizeMm invalid_value'],
    );
  });

  test('an exact place belongs to its region, which the message lists', () => {
    expect(errorsOf({ locations: [{ primary: 'hand', secondary: 'sole' }] }, partial)).toEqual([
      {
        pointer: '/locations/0/secondary',
        code: 'invalid_value',
        message: 'Must belong to `primary`, which has: palm, back_of_hand, fingers, finger_webs, knuckles.',
      },
    ]);
    expect(errorsOf({ locations: [{ secondary: 'sole' }] }, partial)).toEqual([]);
  });

  test('a medicine for this skin problem has an improvement other than not_applicable', () => {
    const improvement = 'not_applicable';
    expect(refusals({ medications: [{}, { purpose: 'this_skin_problem', improvement }] }, partial)).toEqual([
      '/medications/1/improvement invalid_value',
    ]);
    expect(refusals({ medications: [{ purpose: 'other_condition', improvement }] }, partial)).toEqual([]);
    expect(refusals({ medications: [{ improvement }] }, partial)).toEqual([]);
  });

  test('an image shows a location that is listed', () => {
    const images = [{ url: IMAGE, locationIndex: 1 }];
    expect(refusals(complete({ images }))).toEqual(['/images/0/locationIndex invalid_value']);
    expect(refusals(complete({ images, locations: [{ primary: 'arm' }, { primary: 'leg' }] }))).toEqual([]);
    expect(refusals({ images }, partial)).toEqual([]);
  });
});

test('an age is exact where years or months are given, else that of the band, which leave no gap', () => {
  const only = (min: number, max = min) => ({ min, max });
  expect(possibleAges({ ageYears: 2, ageGroup: 'age_80_or_above' })).toEqual(only(2));
  expect(possibleAges({ ageMonths: 11 })).toEqual(only(0));
  expect(possibleAges({ ageMonths: 12 })).toEqual(only(1));
  expect([possibleAges(), possibleAges({ ageGroup: 'unknown' })]).toEqual([undefined, undefined]);
  const bands = AgeGroup.options.flatMap((ageGroup) => possibleAges({ ageGroup }) ?? []);
  expect(bands).toEqual(
    [0, 2, 12, 18, 30, 40, 50, 60, 70, 80].map((min, index, all) => only(min, (all[index + 1] ?? 121) - 1)),
  );
  expect(possibleMonths({ ageMonths: 3, ageYears: 0 })).toEqual(only(3));
  expect(possibleMonths({ ageYears: 1 })).toEqual(only(12, 23));
  expect(possibleMonths({ ageGroup: 'age_0_to_1' })).toEqual(only(0, 23));
  expect(possibleMonths()).toBeUndefined();
});

describe('where an image may be', () => {
  const accepted = [
    IMAGE,
    IMAGE.toUpperCase().replace('/API/COMMON/IMAGES', '/api/common/images'),
    `https://${IMAGE_HOST}/a%20b.png?x=1`,
    `HTTPS://${IMAGE_HOST.toUpperCase()}/a.png`,
    `https://${IMAGE_HOST}`,
    `https://${IMAGE_HOST}?x=@evil.example`,
    `https://${IMAGE_HOST}#:8443`,
  ];
  test.each(accepted)('%s is accepted', (url) => {
    expect(refusals({ images: [{ url }] }, partial)).toEqual([]);
  });

  const refused = [
    '',
    'photo.jpg',
    `${IMAGE}/`,
    `${IMAGE}?size=1`,
    '/api/common/images/1',
    '/api/auth/me',
    `//${IMAGE_HOST}/a.png`,
    `http://${IMAGE_HOST}/a.png`,
    `https://${IMAGE_HOST}.evil.example/a.png`,
    `https://evil.example/${IMAGE_HOST}`,
    `https://${IMAGE_HOST}@evil.example/a.png`,
    `https://evil.example\\@${IMAGE_HOST}/a.png`,
    `https://user:secret@${IMAGE_HOST}/a.png`,
    `https://${IMAGE_HOST}:8443/a.png`,
    `https://${IMAGE_HOST}:99999/a.png`,
    `https://${IMAGE_HOST}/a b.png`,
    `https://${IMAGE_HOST}/a\n.png`,
    // What the URL parser makes of these is the accepted host; another reader may see another one.
    `https:///${IMAGE_HOST}/a.png`,
    `https:////${IMAGE_HOST}/a.png`,
    `https://@${IMAGE_HOST}/a.png`,
    `https://:@${IMAGE_HOST}/a.png`,
    `https://${IMAGE_HOST}:443/a.png`,
    `https://${IMAGE_HOST}:/a.png`,
    `https://${IMAGE_HOST.replace('a', '%61')}/a.png`,
    `https://${IMAGE_HOST.replace('a', '\uff41')}/a.png`,
    `https://${IMAGE_HOST.replace('.', '\u3002')}/a.png`,
    `https://${IMAGE_HOST.replace('.', '\u00ad.')}/a.png`,
    `https://${IMAGE_HOST.replace('.', '\u200b.')}/a.png`,
    `https://${IMAGE_HOST.replace('s', '\u017f')}/a.png`,
    `https://${IMAGE_HOST}./a.png`,
    `https://${IMAGE_HOST}%2f@evil.example/a.png`,
    `https://evil.example#@${IMAGE_HOST}/a.png`,
    `https://evil.example?@${IMAGE_HOST}/a.png`,
    'https://',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
  ];
  test.each(refused)('%j is refused', (url) => {
    expect(refusals({ images: [{ url }] }, partial)).toEqual(['/images/0/url invalid_value']);
  });

  test('a host in letters that look like those of an accepted one is refused', () => {
    const hosts = { ...partial, imageUrlHosts: ['k.example'] };
    const isOk = (host: string) => parseAnamnesis({ images: [{ url: `https://${host}/a` }] }, hosts).ok;
    // The Kelvin sign becomes "k" in lower case.
    expect([isOk('k.example'), isOk('K.example'), isOk('\u212a.example')]).toEqual([true, true, false]);
  });

  test('no foreign host is accepted unless it is configured', () => {
    const images = [{ url: `https://${IMAGE_HOST}/a.png` }];
    expect(parseAnamnesis({ images }, { ...partial, imageUrlHosts: [] }).ok).toBe(false);
  });

  test('2048 characters are enough', () => {
    const url = `https://${IMAGE_HOST}/`.padEnd(2048, 'x');
    expect(refusals({ images: [{ url }] }, partial)).toEqual([]);
    expect(refusals({ images: [{ url: `${url}x` }] }, partial)).toEqual(['/images/0/url too_big']);
  });
});
