import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPad } from './pad.ts';
import { likeliest, readScin } from './scin.ts';
import { parseAnamnesis } from '../../../src/domain/intake/anamnesis/parse-anamnesis.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { padColumns, plainGrowth, type Row, scinColumns, writePad, writeScin } from './data-sets.ts';

const imageHost = 'storage.googleapis.com';
const options = { language: 'en', imageUrlHosts: [imageHost] } as const;

function scin(row: Row, label: Row = { weighted_skin_condition_label: '{}' }) {
  const folder = tempFolder();
  writeScin(folder, [{ case_id: '1', ...row }], [{ case_id: '1', ...label }]);
  return readScin(folder).cases[0];
}

function pad(row: Row, folder = tempFolder()) {
  writePad(folder, [{ ...plainGrowth, ...row }]);
  return readPad(folder).cases[0];
}

describe('a row of SCIN', () => {
  test('says what was ticked, and nothing more', () => {
    const replayed = scin(
      {
        age_group: 'AGE_30_TO_39',
        sex_at_birth: 'FEMALE',
        fitzpatrick_skin_type: 'FST2',
        race_ethnicity_white: 'YES',
        textures_raised_or_bumpy: 'YES',
        textures_fluid_filled: 'YES',
        body_parts_palm: 'YES',
        body_parts_back_of_hand: 'YES',
        body_parts_foot_sole: 'YES',
        condition_symptoms_itching: 'YES',
        condition_symptoms_increasing_size: 'YES',
        condition_symptoms_darkening: 'YES',
        other_symptoms_shortness_of_breath: 'YES',
        related_category: 'OTHER_ISSUE_DESCRIPTION',
        condition_duration: 'ONE_TO_FOUR_WEEKS',
        image_1_path: 'dataset/images/-1.png',
        image_1_shot_type: 'AT_AN_ANGLE',
        image_3_shot_type: 'CLOSE_UP',
      },
      { weighted_skin_condition_label: `{"Grover's disease": 0.3, 'Eczema': 0.5, 'Acne': 0.2}` },
    );
    expect(replayed).toEqual({
      id: '1',
      label: 'atopic_dermatitis',
      photo: undefined,
      anamnesis: {
        schemaVersion: '1',
        language: 'en',
        reporter: 'self',
        patient: {
          ageGroup: 'age_30_to_39',
          gender: 'female',
          sexAtBirth: 'female',
          fitzpatrickSkinType: 'type_2',
        },
        complaint: { category: 'other', duration: 'one_to_four_weeks' },
        locations: [
          { primary: 'hand', secondary: 'palm' },
          { primary: 'hand', secondary: 'back_of_hand' },
          { primary: 'foot', secondary: 'sole' },
        ],
        lesion: { textures: ['raised_or_bumpy', 'fluid_filled'], changes: ['size', 'color'] },
        symptoms: { emergency: ['none'], local: ['itching'], systemic: ['shortness_of_breath'] },
        medications: [],
        images: [
          { url: `https://${imageHost}/dx-scin-public-data/dataset/images/-1.png`, kind: 'at_an_angle' },
        ],
      },
    });
  });

  test('without answers leaves them open instead of saying no', () => {
    const { anamnesis, label } =
      scin({ age_group: 'AGE_UNKNOWN', sex_at_birth: 'OTHER_OR_UNSPECIFIED' }) ?? {};
    expect(label).toBeUndefined();
    expect(anamnesis?.symptoms).toEqual({ emergency: ['none'] });
    expect(anamnesis?.lesion).toEqual({});
    expect(anamnesis?.patient).toEqual({ ageGroup: 'unknown', gender: 'unknown' });
    expect(anamnesis?.locations).toEqual([{ primary: 'other', secondary: 'other_site' }]);
    expect(anamnesis).not.toHaveProperty('images');
  });

  test('tells "none" from "something and none"', () => {
    const nothing = {
      condition_symptoms_no_relevant_experience: 'YES',
      other_symptoms_no_relevant_symptoms: 'YES',
    };
    expect(scin(nothing)?.anamnesis.symptoms).toMatchObject({ local: ['none'], systemic: ['none'] });
    const both = { ...nothing, condition_symptoms_pain: 'YES', other_symptoms_fever: 'YES' };
    expect(scin(both)?.anamnesis.symptoms).toMatchObject({ local: ['pain'], systemic: ['fever'] });
    const growing = { ...nothing, condition_symptoms_increasing_size: 'YES' };
    expect(scin(growing)?.anamnesis.symptoms).toMatchObject({ local: [], systemic: ['none'] });
  });

  test('takes the photo that lies in the folder, under its path or its name', () => {
    const folder = tempFolder();
    const row = { case_id: '1', image_1_path: 'dataset/images/1.png', image_2_path: 'dataset/images/2.png' };
    writeScin(folder, [row], [{ case_id: '1', weighted_skin_condition_label: '{}' }]);
    expect(readScin(folder).cases[0]?.photo).toBeUndefined();
    writeFileSync(join(folder, '2.png'), '');
    expect(readScin(folder).cases[0]?.photo).toBe(join(folder, '2.png'));
  });

  test.each([
    ['{}', undefined],
    [`{'Eczema': 0.2, 'Acne': 0.8}`, 'Acne'],
    [`{'Eczema': 0.41, 'Acne': 0.41, 'Tinea': 0.18}`, 'Eczema'],
    [`{"Grover's disease": 1.0}`, `Grover's disease`],
    [`{'Say \\'ah\\'': 0.6, 'O/E - petechiae, on skin: legs': 0.4}`, `Say 'ah'`],
  ])('labelled %s is %s', (weights, name) => expect(likeliest(weights)).toBe(name));
});

describe('a row of PAD-UFES-20', () => {
  test('with the whole block of the patient', () => {
    const replayed = pad({
      smoke: 'True',
      drink: 'True',
      background_father: 'NOWHERE',
      age: '61',
      pesticide: 'True',
      gender: 'MALE',
      skin_cancer_history: 'True',
      cancer_history: 'False',
      has_piped_water: 'True',
      fitspatrick: '3.0',
      region: 'LIP',
      diameter_1: '6.0',
      diameter_2: '6.5',
      diagnostic: 'SCC',
      itch: 'True',
      hurt: 'UNK',
      bleed: 'True',
      grew: 'True',
      changed: 'True',
      elevation: 'True',
      img_id: 'PAT_2_2_2.png',
      biopsed: 'True',
    });
    expect(replayed).toEqual({
      id: 'PAT_2_2_2.png',
      label: 'squamous_cell_carcinoma',
      photo: undefined,
      anamnesis: {
        schemaVersion: '1',
        language: 'en',
        patient: { ageYears: 61, gender: 'male', fitzpatrickSkinType: 'type_3' },
        complaint: { category: 'growth_or_mole', duration: 'unknown' },
        locations: [{ primary: 'head_neck', secondary: 'lips' }],
        lesion: {
          sizeMm: 6.5,
          size: 'from_2_to_6_mm',
          changes: ['size', 'color', 'shape'],
          elevation: 'raised',
        },
        symptoms: { emergency: ['none'], local: ['itching', 'bleeding'], systemic: ['none'] },
        history: {
          skinCancerHistory: 'type_unknown',
          cancerHistory: false,
          smoking: 'current',
          alcohol: 'occasional',
          priorBiopsy: true,
        },
        exposures: { recent: ['pesticide'] },
      },
    });
  });

  test('without it leaves the answers open', () => {
    const { anamnesis } = pad({ grew: 'UNK', elevation: 'UNK' }) ?? {};
    expect(anamnesis?.patient).toEqual({ ageGroup: 'unknown', gender: 'unknown' });
    expect(anamnesis?.lesion).toEqual({});
    expect(anamnesis?.history).toEqual({ priorBiopsy: false });
    expect(anamnesis).not.toHaveProperty('exposures');
  });

  test('says "none" only of what is known to be none', () => {
    expect(pad({})?.anamnesis.symptoms).toMatchObject({ local: ['none'] });
    expect(pad({ bleed: 'UNK' })?.anamnesis.symptoms).toMatchObject({ local: [] });
    expect(pad({})?.anamnesis.lesion).toMatchObject({ changes: ['none'] });
    expect(pad({ changed: 'UNK' })?.anamnesis.lesion).not.toHaveProperty('changes');
  });

  test('takes a diameter of nothing for none', () => {
    expect(pad({ diameter_1: '0.0', diameter_2: '0.0' })?.anamnesis.lesion).not.toHaveProperty('sizeMm');
  });

  test('takes the photo that is named after it', () => {
    const folder = tempFolder();
    expect(pad({}, folder)?.photo).toBeUndefined();
    writeFileSync(join(folder, 'PAT_1_1_1.png'), '');
    expect(pad({}, folder)?.photo).toBe(join(folder, 'PAT_1_1_1.png'));
  });
});

// The gateway's own rules, so that a row can be refused for nothing that we wrote.
describe('the gateway accepts every mapped row', () => {
  const ticks = (columns: readonly string[]) =>
    fc.record(Object.fromEntries(columns.map((column) => [column, fc.constantFrom('', 'YES')])));
  const boxes = scinColumns.filter((column) =>
    /^(textures|body_parts|condition_symptoms|other_symptoms)_/.test(column),
  );
  const image = (n: number) => ({
    [`image_${n}_path`]: fc.constantFrom('', `dataset/images/-${n}.png`),
    [`image_${n}_shot_type`]: fc.constantFrom('', 'CLOSE_UP', 'AT_AN_ANGLE', 'AT_DISTANCE'),
  });
  const scinRow = fc
    .tuple(
      ticks(boxes),
      fc.record({
        age_group: fc.constantFrom('', 'AGE_UNKNOWN', 'AGE_18_TO_29', 'AGE_80_OR_ABOVE'),
        sex_at_birth: fc.constantFrom('', 'FEMALE', 'MALE', 'OTHER_OR_UNSPECIFIED'),
        fitzpatrick_skin_type: fc.constantFrom('', 'FST1', 'FST6', 'NONE_IDENTIFIED', 'NONE_SELECTED'),
        related_category: fc.constantFrom('', 'RASH', 'LOOKS_HEALTHY', 'NAIL_PROBLEM', 'PIGMENTARY_PROBLEM'),
        condition_duration: fc.constantFrom('', 'UNKNOWN', 'ONE_DAY', 'SINCE_CHILDHOOD'),
        ...image(1),
        ...image(2),
        ...image(3),
      }),
    )
    .map(([ticked, rest]): Row => ({ ...ticked, ...rest }));

  test('of SCIN', () => {
    const folder = tempFolder();
    const rows = fc.sample(scinRow, 500).map((row, index) => ({ case_id: String(index), ...row }));
    writeScin(folder, rows, [{ case_id: '0', weighted_skin_condition_label: '{}' }]);
    const refused = readScin(folder).cases.flatMap(({ anamnesis }) => {
      const parsed = parseAnamnesis(anamnesis, { ...options, partial: true });
      return parsed.ok ? [] : [{ anamnesis, errors: parsed.errors }];
    });
    expect(refused).toEqual([]);
  });

  const answered = fc.constantFrom('True', 'False', 'UNK', '');
  const millimetres = fc.oneof(
    fc.constant(''),
    fc.double({ min: 0, max: 1000, noNaN: true }).map((mm) => mm.toFixed(1)),
  );
  const regions = 'ARM FOREARM HAND FACE NOSE EAR SCALP LIP NECK CHEST ABDOMEN BACK THIGH FOOT'.split(' ');
  const padRow = fc.record({
    ...Object.fromEntries(
      padColumns
        .filter((column) =>
          /^(smoke|drink|pesticide|skin_c|cancer|itch|grew|hurt|changed|bleed|elev)/.test(column),
        )
        .map((column) => [column, answered]),
    ),
    age: fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 120 }).map(String)),
    gender: fc.constantFrom('', 'FEMALE', 'MALE'),
    fitspatrick: fc.constantFrom('', '1.0', '6.0'),
    region: fc.constantFrom(...regions),
    diameter_1: millimetres,
    diameter_2: millimetres,
    diagnostic: fc.constantFrom('NEV', 'SEK', 'ACK', 'BCC', 'SCC', 'MEL'),
  });

  test('of PAD-UFES-20, and it is complete', () => {
    const folder = tempFolder();
    writePad(
      folder,
      fc.sample(padRow, 500).map((row) => ({ ...plainGrowth, ...row })),
    );
    const refused = readPad(folder).cases.flatMap(({ anamnesis }) => {
      const parsed = parseAnamnesis(anamnesis, options);
      return parsed.ok ? [] : [{ anamnesis, errors: parsed.errors }];
    });
    expect(refused).toEqual([]);
  });
});

describe('a file that is not as expected ends it, saying where', () => {
  test('a value that the mapping does not know', () => {
    const folder = tempFolder();
    writePad(folder, [plainGrowth, { ...plainGrowth, region: 'ELBOW', itch: 'MAYBE' }]);
    expect(() => readPad(folder)).toThrow(/metadata\.csv is not as expected:\s+row 2, column \w+ is "\w+"/);
    expect(() => readPad(folder)).toThrow(/column region is "ELBOW"/);
    expect(() => readPad(folder)).toThrow(/column itch is "MAYBE"/);
  });

  test('a file of another shape', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'metadata.csv'), 'name;place\nsomebody;somewhere\n');
    expect(() => readPad(folder)).toThrow(/row 1, column img_id is missing[\s\S]*and \d+ more/);
  });

  test('a name that would lead out of the folder', () => {
    const folder = tempFolder();
    writePad(folder, [{ ...plainGrowth, img_id: '../secret.png' }]);
    expect(() => readPad(folder)).toThrow(/column img_id is "\.\.\/secret\.png"/);
  });

  test('no row, broken quotes, no file', () => {
    const folder = tempFolder();
    expect(() => readPad(folder)).toThrow(/metadata\.csv cannot be read: ENOENT/);
    writePad(folder, []);
    expect(() => readPad(folder)).toThrow(/metadata\.csv has no rows/);
    writeFileSync(join(folder, 'metadata.csv'), 'a,b\n"1,2\n');
    expect(() => readPad(folder)).toThrow(/metadata\.csv cannot be read/);
  });
});
