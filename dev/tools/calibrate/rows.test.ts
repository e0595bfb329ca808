import { describe, expect, test } from 'vitest';
import { countPad } from './count-pad.ts';
import { countScin } from './count-scin.ts';
import { foldOf } from './cross-validate.ts';
import { readLabelledPad, readLabelledScin } from './labelled-rows.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { plainGrowth, type Row, writePad, writeScin } from '../replay/data-sets.ts';

function scin(...cases: readonly (Row & { label: string })[]) {
  const folder = tempFolder();
  writeScin(
    folder,
    cases.map(({ label: _label, ...row }, index) => ({ case_id: String(index), ...row })),
    cases.map(({ label }, index) => ({ case_id: String(index), weighted_skin_condition_label: label })),
  );
  return readLabelledScin(folder);
}

function pad(...rows: readonly Row[]) {
  const folder = tempFolder();
  writePad(
    folder,
    rows.map((row) => ({ ...plainGrowth, ...row })),
  );
  return readLabelledPad(folder);
}

describe('the rows of a calibration', () => {
  test('are those with a label, one that the catalogue lacks among them', () => {
    const rows = scin(
      { label: `{'Eczema': 0.6, 'Acute dermatitis, NOS': 0.2, 'Scar Condition': 0.2}` },
      { label: `{'Scar Condition': 1.0}` },
      { label: '{}' },
    );
    expect(rows.map(({ label }) => label)).toEqual(['atopic_dermatitis', undefined]);
    expect([...(rows[0]?.weights ?? [])]).toEqual([['atopic_dermatitis', expect.closeTo(0.8, 9)]]);
  });

  test('of one patient share a group, whatever the lesion, and are never in two folds', () => {
    const rows = pad(
      { patient_id: 'PAT_7', lesion_id: '1', img_id: 'PAT_7_1_1.png' },
      { patient_id: 'PAT_7', lesion_id: '2', img_id: 'PAT_7_2_9.png', diagnostic: 'BCC' },
      { patient_id: 'PAT_8', lesion_id: '3', img_id: 'PAT_8_3_1.png' },
    );
    expect(rows.map(({ group }) => group)).toEqual(['PAT_7', 'PAT_7', 'PAT_8']);
    for (const salt of ['', '1: ', 'within 3: ']) {
      const [one, same] = rows.map((row) => foldOf(row, salt));
      expect(one).toBe(same);
    }
  });

  test('fill all five folds about equally', () => {
    const folds = Array.from({ length: 1000 }, (_, index) => foldOf({ group: `PAT_${index}` }));
    const sizes = [0, 1, 2, 3, 4].map((fold) => folds.filter((one) => one === fold).length);
    expect(Math.min(...sizes)).toBeGreaterThan(150);
  });

  test('without a patient are refused by row and column', () => {
    expect(() => pad({ patient_id: '' })).toThrow(/row 1, column patient_id is ""/);
  });
});

describe('a table of SCIN', () => {
  const itchy = { condition_symptoms_itching: 'YES' };
  const painful = { condition_symptoms_pain: 'YES' };

  test('counts the ticks of those who answered the question, beside eight cases of the background', () => {
    const { background, conditions } = countScin(
      scin(
        { ...itchy, label: `{'Urticaria': 1.0}` },
        { ...painful, label: `{'Urticaria': 1.0}` },
        { ...painful, label: `{'Eczema': 1.0}` },
        { ...painful, label: `{'Scar Condition': 1.0}` },
        { label: `{'Urticaria': 1.0}` },
      ),
    );
    expect(background.bernoulli['sym_itching']).toBe(1 / 4);
    expect(conditions['urticaria']?.bernoulli['sym_itching']).toBeCloseTo((1 + 8 / 4) / (2 + 8), 12);
    expect(conditions['atopic_dermatitis']?.bernoulli['sym_itching']).toBeCloseTo((0 + 8 / 4) / (1 + 8), 12);
    expect(Object.keys(conditions).toSorted()).toEqual(['atopic_dermatitis', 'urticaria']);
  });

  test('counts a case by the weight of the label', () => {
    const { conditions } = countScin(
      scin(
        { ...itchy, label: `{'Urticaria': 0.25, 'Eczema': 0.75}` },
        { ...painful, label: `{'Acne': 1.0}` },
      ),
    );
    expect(conditions['urticaria']?.bernoulli['sym_itching']).toBeCloseTo((0.25 + 4) / 8.25, 12);
  });

  test('counts what is known of age, sex, complaint and duration', () => {
    const { background } = countScin(
      scin(
        {
          age_group: 'AGE_30_TO_39',
          sex_at_birth: 'FEMALE',
          related_category: 'RASH',
          label: `{'Acne': 1.0}`,
        },
        {
          age_group: 'AGE_50_TO_59',
          sex_at_birth: 'FEMALE',
          related_category: 'ACNE',
          label: `{'Acne': 1.0}`,
        },
        { age_group: 'AGE_UNKNOWN', sex_at_birth: 'OTHER_OR_UNSPECIFIED', label: `{'Acne': 1.0}` },
      ),
    );
    expect(background.categorical).toEqual({
      age: { AGE_30_TO_39: 0.5, AGE_50_TO_59: 0.5 },
      sex: { FEMALE: 1 },
      cat: { RASH: 0.5, ACNE: 0.5 },
      dur: {},
    });
  });
});

describe('a table of PAD', () => {
  test('counts signs that are known, bands and regions, one case of every value added', () => {
    const { conditions } = countPad(
      pad(
        { diagnostic: 'BCC', itch: 'True', age: '70', diameter_1: '5', diameter_2: '8', region: 'NOSE' },
        { diagnostic: 'BCC', itch: 'UNK', age: '79', diameter_1: '0', diameter_2: '0', region: 'NOSE' },
        { diagnostic: 'NEV', itch: 'False' },
      ),
    );
    const { bernoulli = {}, categorical = {} } = conditions['basal_cell_carcinoma'] ?? {};
    expect(bernoulli['itch']).toBeCloseTo(2 / 3, 12);
    expect(categorical['age']?.['65_79']).toBeCloseTo(3 / 7, 12);
    expect(categorical['diameter']?.['6_10mm']).toBeCloseTo(2 / 5, 12);
    expect(categorical['region']?.['NOSE']).toBeCloseTo(3 / 16, 12);
    expect(conditions['melanocytic_naevus']?.bernoulli['itch']).toBeCloseTo(1 / 3, 12);
  });
});
